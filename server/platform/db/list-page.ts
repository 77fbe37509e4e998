import { sql } from 'kysely';
import type { QueryExecutorProvider, RawBuilder } from 'kysely';
import { InvalidInputError } from '../errors.ts';
import { escapeLike } from './like.ts';

/** A sort key of the rows `s`; where it may be null, nulls come last in an ascending order. */
export type ListKey = {
  by: RawBuilder<unknown>;
  type: 'bigint' | 'text' | 'timestamptz' | 'double precision' | 'int';
  first: 'asc' | 'desc';
  isNullable?: boolean;
};

export type ListInput = {
  sort: string;
  order?: 'asc' | 'desc' | undefined;
  page?: number | undefined;
  pageSize?: number | undefined;
  after?: string | undefined;
};

export type ListQuery = {
  table: string;
  /** Over rows `s`; names the account. */
  where: RawBuilder<unknown>;
  key: ListKey;
  input: ListInput;
};

/** Everything in an answer but its data. */
export type ListPlace = { total?: number; page?: number; pageSize?: number; next_cursor?: string | null };

const usualPageSize = 50;

/**
 * The ids of one page of a list in its order, by number or from a cursor on; of the whole list where the input asks for
 * no page. A cursor of another order is a 422.
 */
export async function readListPage(
  db: QueryExecutorProvider,
  { table, where, key, input }: ListQuery,
): Promise<{ ids: number[]; place: ListPlace }> {
  const isWhole = input.page === undefined && input.pageSize === undefined && input.after === undefined;
  const { page = 1, pageSize = usualPageSize } = input;
  const order = input.order ?? key.first;
  const direction = order === 'asc' ? sql`asc` : sql`desc`;
  const after = input.after === undefined ? sql`true` : afterCursor(key, { ...input, order });
  const offset = input.after === undefined ? (page - 1) * pageSize : 0;
  const { rows } = await sql<{ id: number; key: string }>`
    select s.id, (${key.by})::text as key
      from ${sql.table(table)} as s
     where ${where} and ${after}
     order by ${key.by} ${direction}, s.id ${direction}
     ${isWhole ? sql`` : sql`limit ${pageSize + 1} offset ${offset}`}
  `.execute(db);
  if (isWhole) return { ids: rows.map(({ id }) => id), place: {} };
  const shown = rows.slice(0, pageSize);
  const last = rows.length > pageSize ? shown.at(-1) : undefined;
  const next = last ? cursorOf([input.sort, order, last.key, last.id]) : null;
  const counted = input.after === undefined ? { total: await countRows(db, { table, where }), page } : {};
  return { ids: shown.map(({ id }) => id), place: { ...counted, pageSize, next_cursor: next } };
}

async function countRows(
  db: QueryExecutorProvider,
  { table, where }: Pick<ListQuery, 'table' | 'where'>,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from ${sql.table(table)} as s where ${where}
  `.execute(db);
  return rows[0]?.total ?? 0;
}

type Cursor = [sort: string, order: string, key: string | null, id: number];

/** For `after`: the row at which a page ended. */
export const cursorOf = (cursor: Cursor) => Buffer.from(JSON.stringify(cursor)).toString('base64url');

/** The condition for rows after the last row of the previous page. */
export function afterCursor(key: ListKey, { sort, order, after = '' }: ListInput): RawBuilder<boolean> {
  const cursor = readCursor(after);
  if (cursor === undefined || cursor[0] !== sort || cursor[1] !== order) throw new WrongCursorError();
  const [, , value, id] = cursor;
  const sign = order === 'asc' ? sql`>` : sql`<`;
  if (value === null) {
    const ofSame = sql`(${key.by} is null and s.id ${sign} ${id}::bigint)`;
    return order === 'asc' ? sql`${ofSame}` : sql`(${ofSame} or ${key.by} is not null)`;
  }
  const beyond = sql<boolean>`(${key.by}, s.id) ${sign} (${value}::${sql.raw(key.type)}, ${id}::bigint)`;
  return key.isNullable && order === 'asc' ? sql`(${beyond} or ${key.by} is null)` : beyond;
}

function readCursor(text: string): Cursor | undefined {
  try {
    const cursor: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return isCursor(cursor) ? cursor : undefined;
  } catch {
    return undefined;
  }
}

function isCursor(value: unknown): value is Cursor {
  if (!Array.isArray(value) || value.length !== 4) return false;
  const [sort, order, key, id] = value as unknown[];
  const isText = (part: unknown) => typeof part === 'string' && !part.includes('\0');
  const areTexts = isText(sort) && isText(order) && (key === null || isText(key));
  return areTexts && Number.isSafeInteger(id);
}

class WrongCursorError extends InvalidInputError {
  constructor() {
    super([{ path: 'after', message: 'Use the next_cursor of an answer in the same order' }]);
  }
}

/** In the order of the ids; whoever is gone meanwhile is left out. */
export function inOrderOf<Row extends { id: number }>(ids: readonly number[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The fewest characters of which the index finds parts; fewer find how words begin. */
const partLength = 3;
const mostWords = 8;

/** Whether a text has every word that was typed: `fold_text` tells no accents and no case apart. */
export function hasWords(text: RawBuilder<unknown>, search: string): RawBuilder<boolean> {
  const words = search.split(/\s+/).filter(Boolean).slice(0, mostWords);
  if (words.length === 0) return sql`true`;
  const each = words.map((word) => {
    const escaped = escapeLike(word);
    const begin = word.length < partLength ? '% ' : '%';
    return sql`(' ' || fold_text(${text})) like (${begin}::text || fold_text(${escaped}) || '%')`;
  });
  return sql`(${sql.join(each, sql` and `)})`;
}
