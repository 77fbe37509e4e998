import { sql } from 'kysely';
import { profileFacts } from '#contracts/field-path.ts';
import type { FieldType } from '#contracts/field-types.ts';
import type { Field } from '#contracts/fields.ts';
import type { ProfileField } from '#contracts/profiles.ts';
import type { AccountContext } from '#server/context.ts';
import { hasPart } from '#server/platform/db/like.ts';
import { countFacts, listFieldSamples, listProfileFields } from '#server/modules/audience/profiles/index.ts';

/** So that the cost does not grow with the account. */
const mostCounted = 100_000;

type ListFields = { search?: string | undefined; limit: number };

/** The fields that profiles have, and those that have a type before any profile has them. */
export async function listFields(ctx: AccountContext, { search, limit }: ListFields): Promise<{ data: Field[] }> {
  const { data } = await listProfileFields(ctx, { search, limit });
  const typed = await ctx.db
    .selectFrom('field_types')
    .select(['path', 'type', 'label', hasPart(sql`path`, search ?? '').as('is_found')])
    .where('account_id', '=', ctx.account.id)
    .orderBy('path')
    .execute();
  const known = new Map(typed.map((each) => [each.path, each]));
  const part = search?.toLowerCase() ?? '';
  const unmet: ProfileField[] = typed
    .filter(({ type, label, is_found: isFound }) => (type ?? label) !== null && isFound)
    .filter(({ path }) => data.every((field) => field.path !== path))
    .map(({ path }) => ({ path, types: [], sample: null, profiles: 0 }));
  const columns = data.filter(({ path }) => !path.startsWith('custom_fields.'));
  const counts = await countFacts(ctx);
  const facts: ProfileField[] = profileFacts
    .filter((path) => path.includes(part))
    .map((path) => ({ path, types: ['string'], sample: null, profiles: counts[path] }));
  const fields = [...columns, ...facts, ...data.slice(columns.length), ...unmet].slice(0, limit);
  const samples = await listFieldSamples(
    ctx,
    fields.map(({ path }) => path),
  );
  const indexed = await findIndexed(
    ctx,
    fields.map(({ path }) => path),
  );
  return {
    data: fields.map(({ path, types, sample, profiles }) => ({
      path,
      label: known.get(path)?.label ?? null,
      type: known.get(path)?.type ?? null,
      ...stateOf(known.get(path)?.type ?? null, indexed.get(path)),
      types,
      samples: samples.get(path) ?? (sample === null ? [] : [sample]),
      profiles,
    })),
  };
}

type Indexed = { path: string; is_filled: boolean; unreadable: number };

export function stateOf(type: FieldType | null, indexed: Indexed | undefined): Pick<Field, 'state' | 'unreadable'> {
  if (type === null) return { state: null, unreadable: null };
  return indexed?.is_filled
    ? { state: 'ready', unreadable: indexed.unreadable }
    : { state: 'building', unreadable: null };
}

/** By path: whether the values of a typed field are all there, and how many do not read as its type. */
async function findIndexed(ctx: AccountContext, paths: readonly string[]): Promise<Map<string, Indexed>> {
  const { rows } = await sql<Indexed>`
    select f.path, f.filled_at is not null as is_filled,
           (select count(*)::int from (select from typed_values v
                                        where v.account_id = ${ctx.account.id} and v.field_id = f.id and not v.is_readable
                                        limit ${mostCounted}) as unread) as unreadable
      from typed_fields f
     where f.account_id = ${ctx.account.id} and f.dropped_at is null and f.path = any(${paths}::text[])
  `.execute(ctx.db);
  return new Map(rows.map((row) => [row.path, row]));
}
