import { compareFigures, figuresOfPage } from './support/pollingFigures';

const figures = figuresOfPage();

test('the page has figures', () => {
  expect(figures.map(([records]) => records)).toEqual([1_000, 10_000, 50_000]);
});

// test/long does this for the others.
test.each(figures.slice(0, 2))(
  'polls of %d records cost the requests that the page names',
  async (...row) => await compareFigures(row),
  120_000,
);
