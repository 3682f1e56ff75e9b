import { InvalidValue, type PartKind, type Traits } from './kind.ts';
import { resultTypes, type Part, type PartType, type ResultType } from './part.ts';
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

const calculations = Object.fromEntries(
  resultTypes.map((type) => [type, calculation(type)]),
) as unknown as Readonly<Record<ResultType, PartKind>>;

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

const kinds: Readonly<Record<Exclude<PartType, 'reference' | 'expression'>, PartKind>> = {
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
};

/** The kind of a part. For a reference part, pass its source part. */
export function kindOf(part: Part): PartKind {
  if (part.type === 'expression') return calculations[part.resultType ?? 'text'];
  if (part.type === 'reference') return textbox;
  return kinds[part.type];
}
