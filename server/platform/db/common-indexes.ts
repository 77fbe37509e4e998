import type { ConcurrentIndex } from './concurrent-indexes.ts';

/** For a list that is searched by words of its names, and sorted by them. */
export function nameIndexes<Table extends string>(table: Table): ConcurrentIndex<Table>[] {
  return [
    {
      name: `${table}_by_folded_words`,
      table,
      columns: `using gin (account_id, (' ' || fold_text(name)) gin_trgm_ops)`,
      replaces: `${table}_by_words`,
    },
    { name: `${table}_by_name`, table, columns: '(account_id, lower(name), id)' },
  ];
}

/** By the file that they carry: it stays while one of them may send it. */
export function carriedMediaIndex<Table extends string>(table: Table): ConcurrentIndex<Table> {
  return { name: `${table}_by_media`, table, columns: `(account_id, (media ->> 'id')) where media is not null` };
}
