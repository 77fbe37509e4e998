const sliceSize = 500;

/** `missed`: somebody has changed the row since it was read, and part of it is as it was. */
export type Resealed = 'resealed' | 'current' | 'missed';

type ResealRows<Row, Key> = {
  /** Comes before every key. */
  first: Key;
  /** The rows after a key, in the order of their keys. */
  read(after: Key, limit: number): Promise<readonly Row[]>;
  keyOf(row: Row): Key;
  reseal(row: Row): Promise<Resealed>;
};

/** Encrypts rows anew, slice by slice; one with a row that was missed is read again. Answers how many it encrypted. */
export async function resealRows<Row, Key>({ first, read, keyOf, reseal }: ResealRows<Row, Key>): Promise<number> {
  let count = 0;
  for (let after = first; ;) {
    const rows = await read(after, sliceSize);
    let isAnyMissed = false;
    for (const row of rows) {
      const result = await reseal(row);
      if (result === 'resealed') count += 1;
      if (result === 'missed') isAnyMissed = true;
    }
    if (isAnyMissed) continue;
    const last = rows.at(-1);
    if (last === undefined || rows.length < sliceSize) return count;
    after = keyOf(last);
  }
}
