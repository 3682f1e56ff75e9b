/** A random number from 0 to 1. */
export type Random = () => number;

/** A random element. */
export const pick = <T>(random: Random, from: readonly T[]): T =>
  from[Math.floor(random() * from.length)] as T;
/** A random integer from 0, below `most`. */
export const upTo = (random: Random, most: number): number => Math.floor(random() * most);

/** A small random number generator with a seed (mulberry32). */
export function generator(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
