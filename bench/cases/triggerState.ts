import { RecordTable } from '../../nodes/ApplicationDataService/trigger/state/recordTable';
import {
  decodeState,
  encodeState,
  type TriggerState,
} from '../../nodes/ApplicationDataService/trigger/state/stateCodec';
import { longestHold } from '../../test/support/longestHold';
import { best, inTurn, milliseconds } from '../support/measure';
import type { Case, Row } from '../support/table';

const RECORDS = 1_000_000;

/** The same numbers every time, from 0 to 1. */
function randomNumbers(): () => number {
  let seed = 12345;
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
}

interface Shape {
  readonly name: string;
  /** Distance from one id to the next. */
  readonly gap: (random: () => number) => number;
  readonly revision: (random: () => number) => number;
  /** How many parts are watched. */
  readonly parts: number;
  /** Keeps previous values of two short texts. */
  readonly values?: boolean;
  readonly records?: number;
  /** The most characters for each record; `null` if there is no goal. */
  readonly most: number | null;
}

const withGaps = (random: () => number): number => {
  let distance = 1;
  while (random() < 0.2) distance++;
  return distance;
};
const geometric = (random: () => number): number => {
  let revision = 1;
  while (random() >= 0.3) revision++;
  return revision;
};

const SHAPES: readonly Shape[] = [
  { name: '20% gaps, geometric revisions', gap: withGaps, revision: geometric, parts: 0, most: 1 },
  { name: 'the same, with watched parts', gap: withGaps, revision: geometric, parts: 1, most: 9 },
  {
    name: 'with previous values of two short texts',
    gap: withGaps,
    revision: geometric,
    parts: 2,
    values: true,
    records: 100_000,
    most: 20,
  },
  {
    name: 'sparse ids, uniform revisions up to 10,000',
    gap: (random) => 1 + Math.floor(random() * 1000),
    revision: (random) => 1 + Math.floor(random() * 10_000),
    parts: 0,
    most: null,
  },
];

/** The size of the trigger's state for 1,000,000 records. */
export const triggerState: Case = {
  name: 'triggerState',
  run: async () => {
    const rows: Row[] = [];
    for (const shape of SHAPES) rows.push(...(await measure(shape)));
    return rows;
  },
};

async function measure(shape: Shape): Promise<Row[]> {
  const state = make(shape);
  const closed = await encodeState(state);
  const times = await inTurn(
    { encode: async () => await encodeState(state), decode: async () => await decodeState(closed) },
    5,
  );
  const block = await longestHold(async () => {
    await encodeState(state);
    await decodeState(closed);
  });
  const count = shape.records ?? RECORDS;
  const characters = closed.length / count;
  // Compressing is done off the event loop.
  const isFast = best(times.encode) <= 1500 && best(times.decode) <= 500 && block <= 100;
  const open = (await encodeState(halfScanned(state))).length / closed.length;
  return [
    {
      name: `Trigger state, ${count} records, ${shape.name}`,
      ours: `encode ${milliseconds(times.encode)}, decode ${milliseconds(times.decode)}, longest block ${block.toFixed(0)} ms`,
      ratios: { 'characters/record': characters, 'open scan/closed': open },
      goal:
        shape.most === null
          ? 'reported'
          : `characters/record <= ${shape.most}, open <= 2, encode <= 1500 ms, decode <= 500 ms, block <= 100 ms`,
      met: shape.most === null ? null : characters <= shape.most && open <= 2 && isFast,
    },
  ];
}

/** One of `count` short texts, as the state contains it. */
function oneOf(random: () => number, name: string, count: number): string {
  return JSON.stringify(`${name} ${Math.floor(random() * count)}`);
}

function make({ gap, revision, parts, values = false, records: count = RECORDS }: Shape): TriggerState {
  const random = randomNumbers();
  const records = new RecordTable(['2', '3'].slice(0, parts));
  let id = 0;
  for (let index = 0; index < count; index++) {
    id += gap(random);
    const hashes = Array.from({ length: parts }, () => Math.floor(random() * 2 ** 32));
    const texts = values ? [oneOf(random, 'Status', 5), oneOf(random, 'Person', 40)] : undefined;
    records.set(String(id), { revision: revision(random), hashes, values: texts });
  }
  return {
    fingerprint: '1-abcdefg-hijklmn',
    events: ['created', 'updated', 'deleted'],
    records,
    learnsUpTo: null,
    scan: null,
    pages: null,
    waiting: new Map(),
    quick: null,
    failing: 0,
  };
}

/** The state in the middle of a scan that missed one record in a hundred. */
function halfScanned(state: TriggerState): TriggerState {
  const { records } = state;
  const order = records.order();
  const half = Math.floor(order.length / 2);
  for (let index = 0; index < half; index++)
    if (index % 100 !== 0) records.meet(String(records.ids[order[index]!]));
  const after = records.ids[order[half]!]!;
  records.flagMissing(-1, after);
  return { ...state, scan: { after, offset: half, newest: '', began: 0 } };
}
