import { Readable } from 'node:stream';
import { parseFieldPath } from '#contracts/field-path.ts';
import type { AccountContext } from '#server/context.ts';
import { csvRecord } from '#server/platform/csv/write-csv.ts';
import { presentProfile } from './present.ts';
import type { ProfileRow } from './present.ts';
import { searchPredicate } from './search-profiles.ts';
import { isObject, valueAt } from './value-at.ts';

const columns = [
  'id',
  'phone',
  'country_code',
  'name',
  'email',
  'status',
  'phone_is_valid',
  'created_at',
  'updated_at',
] as const;

const rowsPerRead = 1000;

/** More than any spreadsheet shows; further custom fields are left out. */
const maxCustomColumns = 1000;

type CustomColumn = { path: string; keys: readonly string[] };

/** CSV of the account's profiles, oldest first, read from the database as it is taken. */
export async function exportProfiles(ctx: AccountContext, input: { search?: string | undefined }): Promise<Readable> {
  const custom = await findCustomColumns(ctx);
  return Readable.from(csvOf(ctx, input.search ?? '', custom), { objectMode: false });
}

async function findCustomColumns(ctx: AccountContext): Promise<CustomColumn[]> {
  const rows = await ctx.db
    .selectFrom('profile_fields')
    .select('path')
    .distinct()
    .where('account_id', '=', ctx.account.id)
    .where('path', 'like', String.raw`custom\_fields.%`)
    .where('type', '!=', 'object')
    .orderBy('path')
    .limit(maxCustomColumns)
    .execute();
  return rows.flatMap(({ path }) => {
    const field = parseFieldPath(path);
    return field?.kind === 'custom' ? [{ path, keys: field.keys }] : [];
  });
}

async function* csvOf(ctx: AccountContext, search: string, custom: readonly CustomColumn[]): AsyncGenerator<string> {
  yield csvRecord([...columns, ...custom.map(({ path }) => path)]);
  let lastId = 0;
  for (;;) {
    const rows = await ctx.db
      .selectFrom('profiles')
      .selectAll()
      .where('account_id', '=', ctx.account.id)
      .where('id', '>', lastId)
      .$if(search !== '', (query) => query.where(searchPredicate(search)))
      .orderBy('id')
      .limit(rowsPerRead)
      .execute();
    if (rows.length > 0) yield rows.map((row) => csvRecord(cellsOf(row, custom))).join('');
    if (rows.length < rowsPerRead) return;
    lastId = rows.at(-1)?.id ?? lastId;
  }
}

function cellsOf(row: ProfileRow, custom: readonly CustomColumn[]): string[] {
  const profile = presentProfile(row);
  return [
    ...columns.map((column) => String(profile[column] ?? '')),
    ...custom.map(({ keys }) => cellText(valueAt(row.custom_fields, keys))),
  ];
}

/** An object has columns of its own for what is in it. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null || isObject(value)) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
