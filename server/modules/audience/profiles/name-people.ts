import { sql } from 'kysely';
import type { AccountContext } from '#server/context.ts';
import { InvalidInputError, NotFoundError, ProblemError } from '#server/platform/errors.ts';
import { identifyProfile } from './identify-profile.ts';
import { makeProfile } from './make-profile.ts';
import { phoneKey } from './numbers/phone-key.ts';
import { readNewPhones } from './profile-values.ts';
import type { ProfileValues } from './profile-values.ts';

/** The ids by which a caller names a person, at least one. */
export type NamedIds = {
  phone?: string | undefined;
  external_id?: string | undefined;
  profile_id?: number | undefined;
};

type Named = { profileId: number } | { problem: ProblemError };

/**
 * The profiles that these ids name, by their places. A number that nobody has makes a profile; another id that nobody
 * has is a 404. Several ids of one person are linked as `identifyProfile` does.
 */
export async function namePeople(ctx: AccountContext, people: readonly NamedIds[]): Promise<Named[]> {
  const ways = people.map(wayOf);
  const found = {
    profile: await findIds(ctx, people, 'profile_id'),
    external: await findIds(ctx, people, 'external_id'),
    phone: await byPhone(
      ctx,
      people.flatMap(({ phone }, place) => (ways[place] === 'phone' && phone !== undefined ? [phone] : [])),
    ),
  };
  const named: Named[] = [];
  for (const [place, ids] of people.entries()) {
    const { phone, external_id: externalId, profile_id: profileId } = ids;
    const way = ways[place];
    if (way === 'several') named.push(await together(ctx, ids));
    else if (way === 'phone' && phone !== undefined) named.push(found.phone.get(phone) ?? missing());
    else named.push(idOf(way === 'profile' ? found.profile.get(profileId) : found.external.get(externalId)));
  }
  return named;
}

const missing = (): Named => ({ problem: new NotFoundError('Profile') });
const idOf = (profileId: number | undefined): Named => (profileId === undefined ? missing() : { profileId });

function wayOf({ phone, external_id: externalId, profile_id: profileId }: NamedIds) {
  const given = [phone, externalId, profileId].filter((id) => id !== undefined);
  if (given.length > 1) return 'several';
  if (phone !== undefined) return 'phone';
  return externalId === undefined ? 'profile' : 'external';
}

async function together(ctx: AccountContext, ids: NamedIds): Promise<Named> {
  try {
    return { profileId: (await identifyProfile(ctx, { ...ids, traits: {} })).id };
  } catch (error) {
    if (error instanceof ProblemError) return { problem: error };
    throw error;
  }
}

async function findIds(
  ctx: AccountContext,
  people: readonly NamedIds[],
  by: 'profile_id' | 'external_id',
): Promise<Map<unknown, number>> {
  const ids = [...new Set(people.flatMap((each) => each[by] ?? []))];
  if (ids.length === 0) return new Map();
  const { rows } =
    by === 'profile_id'
      ? await sql<{ key: number; id: number }>`
          select id as key, id from profiles where account_id = ${ctx.account.id} and id = any(${ids}::bigint[])
        `.execute(ctx.db)
      : await sql<{ key: string; id: number }>`
          select external_id as key, profile_id as id from profile_facts
           where account_id = ${ctx.account.id} and external_id = any(${ids}::text[])
        `.execute(ctx.db);
  return new Map<unknown, number>(rows.map(({ key, id }) => [key, id]));
}

/** Numbers that others take, or give up, meanwhile are looked for anew. */
const tries = 5;

async function byPhone(ctx: AccountContext, phones: readonly string[]): Promise<Map<string, Named>> {
  const given = [...new Set(phones)];
  const read = given.length === 0 ? [] : await readNewPhones(ctx, given);
  const named = new Map<string, Named>();
  const open = new Map<string, { values: ProfileValues; given: string[] }>();
  for (const [place, phone] of given.entries()) {
    const values = read[place];
    if (!values) named.set(phone, { problem: new InvalidInputError([{ path: 'phone', message: 'Invalid number' }]) });
    else {
      const key = phoneKey(values.phone);
      open.set(key, { values, given: [...(open.get(key)?.given ?? []), phone] });
    }
  }
  for (let attempt = 0; open.size > 0 && attempt < tries; attempt += 1) {
    for (const [key, id] of await idsOfKeys(ctx, [...open.keys()])) settle(key, id);
    const made = await Promise.all(
      [...open].map(async ([key, { values }]) => ({ key, id: (await makeProfile(ctx, { values, input: {} }))?.id })),
    );
    for (const { key, id } of made) if (id !== undefined) settle(key, id);
  }
  return named;

  function settle(key: string, profileId: number): void {
    for (const phone of open.get(key)?.given ?? []) named.set(phone, { profileId });
    open.delete(key);
  }
}

async function idsOfKeys(ctx: AccountContext, keys: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ key: string; id: number }>`
    /* prepared: find-profiles-by-keys */
    select phone_key(phone) as key, id from profiles
     where account_id = ${ctx.account.id} and phone_key(phone) = any(${keys}::text[]) and not is_twin
  `.execute(ctx.db);
  return new Map(rows.map(({ key, id }) => [key, id]));
}
