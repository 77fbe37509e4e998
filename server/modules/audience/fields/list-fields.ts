import { profileFacts } from '#contracts/field-path.ts';
import type { Field } from '#contracts/fields.ts';
import type { ProfileField } from '#contracts/profiles.ts';
import type { AccountContext } from '#server/context.ts';
import { countFacts, listFieldSamples, listProfileFields } from '#server/modules/audience/profiles/index.ts';

type ListFields = { search?: string | undefined; limit: number };

/** The fields that profiles have, and those that have a type before any profile has them. */
export async function listFields(ctx: AccountContext, { search, limit }: ListFields): Promise<{ data: Field[] }> {
  const { data } = await listProfileFields(ctx, { search, limit });
  const typed = await ctx.db
    .selectFrom('field_types')
    .select(['path', 'type', 'label'])
    .where('account_id', '=', ctx.account.id)
    .orderBy('path')
    .execute();
  const known = new Map(typed.map((each) => [each.path, each]));
  const part = search?.toLowerCase() ?? '';
  const unmet: ProfileField[] = typed
    .filter(({ path, type, label }) => (type ?? label) !== null && path.toLowerCase().includes(part))
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
  return {
    data: fields.map(({ path, types, sample, profiles }) => ({
      path,
      label: known.get(path)?.label ?? null,
      type: known.get(path)?.type ?? null,
      types,
      samples: samples.get(path) ?? (sample === null ? [] : [sample]),
      profiles,
    })),
  };
}
