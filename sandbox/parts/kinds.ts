import { InvalidValue, type PartKind, type Traits } from './kind.ts';
import type { Part, PartType } from './part.ts';
import { choice, textarea, textbox, textOf } from './text.ts';
import { idOf } from './shapes.ts';
import { choices } from './choices.ts';
import { number } from './number.ts';
import { date, datetime, time } from './dates.ts';
import { files } from './files.ts';
import { groups, user, users } from './people.ts';
import { calculation } from './calculated.ts';

/** The data ID: a number that the service assigns. */
const id: PartKind = {
  ...number,
  parse: undefined,
  render: (value, _part, { dialect }) => idOf(textOf(value), dialect),
};

/** Table parts and reference lists contain rows. The reader of a record writes them (records/read/reader.ts). */
function rows(traits: Partial<Traits>): PartKind {
  return {
    traits: { searchable: false, sortable: false, filterable: false, set: false, ...traits },
    render: () => '',
    keys: (value) => (Array.isArray(value) ? value.map((_row, index) => index) : []),
    texts: () => [],
    operand: () => {
      throw new InvalidValue('is a table part: only null tests are possible');
    },
  };
}

const kinds: Readonly<Record<PartType, PartKind>> = {
  textbox,
  textarea,
  richeditor: textarea,
  checkbox: choices,
  listbox: choices,
  radio: choice,
  select: choice,
  number,
  date,
  time,
  datetime,
  files,
  users,
  groups,
  user,
  id,
  input_list: rows({ filterable: true }),
  rel_list: rows({}),
  expression: calculation,
  reference: textbox,
};

/** The kind of a part. For a reference part, pass its source part. */
export function kindOf(part: Part): PartKind {
  return kinds[part.type];
}
