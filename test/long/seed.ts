/** Where the random tests begin: always in the same place, unless SEED names another number. */
export const SEED = Number(process.env.SEED ?? 1);
