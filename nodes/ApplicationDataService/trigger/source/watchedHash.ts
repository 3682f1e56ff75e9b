import type { KeyMode, Part } from '../../parts/model/part';
import type { Remembered } from '../state/remembered';
import { hashOfValues, isChanged, type WatchedValues } from './watchedValues';

/**
 * Whether a watched part changed: part by part if values were kept, else by the hashes. A part in error counts as unchanged.
 * Later, the kept hash shows whether it changed in the meantime. `null` if nothing else changed and an
 * application under maintenance keeps a part from being read.
 */
export function watchedDiffer(
  watched: readonly Part[],
  keyMode: KeyMode,
): (known: Remembered, head: WatchedValues) => boolean | null {
  return (known, { hash, values }) => {
    const before = known.values;
    if (before === undefined || values === undefined)
      return hash === null ? null : known.hash !== 0 && known.hash !== hash;
    if (watched.some((part, index) => isChanged(part, before[index], values[index], keyMode))) return true;
    if (hash === null) return null;
    const unknown = before.map((value, index) => (value === '' ? (values[index] ?? '') : ''));
    const share = shareOfUnknown(known.hash, before, watched, keyMode);
    // As long as one of them is in error, the hash does not show the others.
    if (share === 0 || before.some((value, index) => value === '' && values[index] === '')) return false;
    return share !== hashOfValues(watched, unknown, keyMode);
  };
}

/**
 * The hash to remember. A part in error keeps its share of the hash. A part that was never read has no share, which counts
 * as unchanged.
 */
export function rememberedHash(
  watched: readonly Part[],
  keyMode: KeyMode,
): (head: WatchedValues, known: Remembered | undefined) => number {
  return ({ hash, values }, known) => {
    const before = known?.values;
    if (!values?.includes('')) return hash ?? known?.hash ?? 0;
    const readable = hashOfValues(watched, values, keyMode);
    if (known === undefined || before === undefined) return readable >>> 0;
    const kept = before.map((value, index) => (values[index] === '' ? value : ''));
    const back = before.map((value, index) => (value === '' ? (values[index] ?? '') : ''));
    const share = shareOfUnknown(known.hash, before, watched, keyMode);
    const held = share === 0 ? 0 : share ^ hashOfValues(watched, back, keyMode);
    return (readable ^ hashOfValues(watched, kept, keyMode) ^ held) >>> 0;
  };
}

/** The share of a hash that belongs to parts whose values are unknown; 0 if there is none, or if they were never known. */
function shareOfUnknown(
  hash: number,
  values: readonly string[],
  watched: readonly Part[],
  keyMode: KeyMode,
): number {
  return values.includes('') ? hash ^ hashOfValues(watched, values, keyMode) : 0;
}
