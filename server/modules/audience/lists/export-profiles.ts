import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { parseFieldPath } from '#contracts/field-path.ts';
import type { ProfileFilter } from '#contracts/profiles.ts';
import type { AccountContext } from '#server/context.ts';
import { offWhatsAppSince } from '#server/modules/numbers/health/index.ts';
import { optedOutAt } from '#server/modules/audience/suppressions/index.ts';
import { csvRecord } from '#server/platform/csv/write-csv.ts';
import { cellText, factsSql, inReach, presentProfile, valueAt } from '#server/modules/audience/profiles/index.ts';
import type { ListedProfileRow } from '#server/modules/audience/profiles/index.ts';
import { narrowedTo } from '#server/scope.ts';
import { compileFilter, requireFilter } from './profile-filter.ts';
import type { CompiledFilter } from './profile-filter.ts';

const columns = [
  'id',
  'phone',
  'country_code',
  'name',
  'email',
  'language',
  'timezone',
  'external_id',
  'status',
  'tags',
  'phone_is_valid',
  'opted_out',
  'opted_out_at',
  'on_whatsapp',
  'created_at',
  'updated_at',
] as const;

/** The bound of a read: memory does not grow with the size of profiles, and no other request waits for long. */
const bytesPerRead = 256 * 1024;
const mostRowsPerRead = 100;
const fewestRowsPerRead = 10;

/** More than any spreadsheet shows; further custom fields are left out. */
const maxCustomColumns = 1000;

type CustomColumn = { path: string; keys: readonly string[] };

/** CSV of the account's profiles, oldest first, read from the database as it is taken. */
export async function exportProfiles(ctx: AccountContext, input: ProfileFilter): Promise<Readable> {
  await requireFilter(ctx, input);
  const filter = await compileFilter(ctx, input);
  const custom = await keepInReach(ctx, await findCustomColumns(ctx));
  return Readable.from(csvOf(ctx, filter, custom), { objectMode: false });
}

async function findCustomColumns(ctx: AccountContext): Promise<CustomColumn[]> {
  const rows = await ctx.db
    .selectFrom('profile_field_totals')
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

/** The columns that a contact has whom the caller sees: a narrowed member reads no names of others' fields. */
async function keepInReach(ctx: AccountContext, custom: readonly CustomColumn[]): Promise<readonly CustomColumn[]> {
  if (narrowedTo(ctx) === null || custom.length === 0) return custom;
  const areThere = custom.map(({ keys }) => sql`bool_or(custom_fields #> ${keys}::text[] is not null)`);
  const { rows } = await sql<{ are_there: (boolean | null)[] }>`
    select array[${sql.join(areThere)}] as are_there
      from (select custom_fields from profiles
             where profiles.account_id = ${ctx.account.id} and ${inReach(ctx)} offset 0) as seen
  `.execute(ctx.db);
  return custom.filter((_, index) => rows[0]?.are_there[index]);
}

async function* csvOf(
  ctx: AccountContext,
  filter: CompiledFilter,
  custom: readonly CustomColumn[],
): AsyncGenerator<string> {
  yield csvRecord([...columns, ...custom.map(({ path }) => path)]);
  let lastId = 0;
  let limit = mostRowsPerRead;
  for (;;) {
    const rows = await readNext(ctx, { filter, lastId, limit });
    if (rows.length === 0) return;
    yield rows.map((row) => csvRecord(cellsOf(row, custom))).join('');
    lastId = rows.at(-1)?.id ?? lastId;
    // Rows that came to the bound were read in vain beyond it.
    limit = Math.min(mostRowsPerRead, Math.max(fewestRowsPerRead, rows.length * 2));
  }
}

type NextRows = { filter: CompiledFilter; lastId: number; limit: number };

/** Planning takes as long as reading. */
const prepared = sql.raw('/* prepared: export-profiles */');

/** The next rows by id: up to `limit`, and no more than the bound of bytes, but one at least. */
async function readNext(ctx: AccountContext, { filter, lastId, limit }: NextRows): Promise<ListedProfileRow[]> {
  const { rows } = await sql<ListedProfileRow>`
    ${filter.isAll ? prepared : sql``}
    select * from (
      select profiles.*, ${optedOutAt(sql`profiles.account_id`, sql`profiles.phone`)} as opted_out_at,
             ${offWhatsAppSince(sql`profiles.account_id`, sql`profiles.phone`)} as off_whatsapp_at,
             ${factsSql},
             sum(octet_length(custom_fields::text)) over (order by id) as bytes,
             row_number() over (order by id) as place
        from (select * from profiles
               where profiles.account_id = ${ctx.account.id} and id > ${lastId}
                 and ${filter.predicate}
               order by id limit ${limit}) as profiles
    ) as measured
     where place = 1 or coalesce(bytes, 0) <= ${bytesPerRead}
     order by id
  `.execute(ctx.db);
  return rows;
}

function cellsOf(row: ListedProfileRow, custom: readonly CustomColumn[]): string[] {
  const profile = presentProfile(row);
  return [
    ...columns.map((column) => String(profile[column] ?? '')),
    ...custom.map(({ keys }) => cellText(valueAt(row.custom_fields, keys))),
  ];
}
