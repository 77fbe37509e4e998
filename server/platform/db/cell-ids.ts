/** Ids of a cell begin with its number: 12 digits are left, and all stay exact numbers in JSON. */
export const idsPerCell = 1_000_000_000_000;

/** Ids of four bytes, those of links in messages, are shared among so many. */
export const mostCells = 64;

export const smallIdsPerCell = 2 ** 31 / mostCells;
