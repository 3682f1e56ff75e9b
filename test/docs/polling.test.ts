import { compareFigures, figuresOfPage } from './support/pollingFigures';

const figures = figuresOfPage();

test('the page has figures', () => {
  expect(figures.map(([records]) => records)).toEqual([1_000, 10_000, 50_000]);
});

// test/long does this for the others.
test.each(figures.slice(0, 1))(
  'polls of %d records need the requests on the page',
  async (...row) => await compareFigures(row),
  120_000,
);
