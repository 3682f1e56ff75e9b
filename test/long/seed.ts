/** The seed of the random tests. It is always the same unless SEED sets another number. */
export const SEED = Number(process.env.SEED ?? 1);
