type PageQuery = { page: number; pageSize: number; after?: string | undefined };
type Slice = { after: number | undefined; limit: number; offset: number };

type EntryReader<Entry> = {
  /** In their order, those after the key `after`. */
  read(slice: Slice): Promise<Entry[]>;
  keyOf(entry: Entry): number;
};

/** A page of entries, by its number or from a cursor on, and where the next one begins. */
export async function pageOfEntries<Entry>(
  { page, pageSize, after }: PageQuery,
  { read, keyOf }: EntryReader<Entry>,
): Promise<{ data: Entry[]; next_cursor: string | null }> {
  const from =
    after === undefined ? { after: undefined, offset: (page - 1) * pageSize } : { after: Number(after), offset: 0 };
  const entries = await read({ ...from, limit: pageSize + 1 });
  const data = entries.slice(0, pageSize);
  const last = entries.length > pageSize ? data.at(-1) : undefined;
  return { data, next_cursor: last === undefined ? null : String(keyOf(last)) };
}
