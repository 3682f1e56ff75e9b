import { compareFigures, figuresOfPage } from '../docs/support/pollingFigures';

// `npm test` does this for fewer records.
test.each(figuresOfPage().slice(1))(
  'polls of %d records need the requests on the page',
  async (...row) => await compareFigures(row),
  120_000,
);
