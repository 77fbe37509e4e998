import { sql } from 'kysely';
import type { NewProfile, Profile, ProfileChange } from '#contracts/profiles.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { offWhatsAppSince } from '#server/modules/numbers/health/index.ts';
import {
  liftSuppressions,
  optedOutAt,
  saysOptedOut,
  suppressNumbers,
  withoutOptOutWords,
} from '#server/modules/audience/suppressions/index.ts';
import { InvalidInputError } from '#server/platform/errors.ts';
import { findFacts } from './facts.ts';
import { presentProfile } from './present.ts';
import type { ListedProfileRow, ProfileRow } from './present.ts';

/** The profiles, with what is known of their numbers now. */
export async function presentProfiles(ctx: AccountContext, rows: readonly ProfileRow[]): Promise<Profile[]> {
  const states = await findNumberStates(ctx, rows);
  const facts = await findFacts(
    ctx,
    rows.map(({ id }) => id),
  );
  const unknown = { opted_out_at: null, off_whatsapp_at: null };
  return rows.map((row) =>
    presentProfile({ ...row, ...(states.get(row.phone) ?? unknown), facts: facts.get(row.id) ?? null }),
  );
}

export async function presentOne(ctx: AccountContext, row: ProfileRow): Promise<Profile> {
  const [profile] = await presentProfiles(ctx, [row]);
  if (!profile) throw new Error('A profile was not presented');
  return profile;
}

type NumberState = Pick<ListedProfileRow, 'opted_out_at' | 'off_whatsapp_at'>;

/** By number. */
async function findNumberStates(
  ctx: AccountContext,
  rows: readonly { phone: string }[],
): Promise<Map<string, NumberState>> {
  if (rows.length === 0) return new Map();
  const account = sql<number>`${ctx.account.id}::bigint`;
  const { rows: found } = await sql<NumberState & { phone: string }>`
    /* prepared: find-number-states */
    select x.phone, ${optedOutAt(account, sql`x.phone`)} as opted_out_at,
           ${offWhatsAppSince(account, sql`x.phone`)} as off_whatsapp_at
      from unnest(${rows.map(({ phone }) => phone)}::text[]) as x (phone)
  `.execute(ctx.db);
  return new Map(found.map(({ phone, ...state }) => [phone, state]));
}

const actorOf = ({ actor }: AccountContext) => (actor.kind === 'user' ? 'user' : 'api');

/**
 * Puts the number on the list where the write says so: by `opted_out`, or by words that were not there before. Answers
 * whether it does.
 */
export async function followOptOut(
  tx: Tx<AccountContext>,
  { before, after, input }: { before?: ProfileRow; after: ProfileRow; input: Pick<NewProfile, 'opted_out'> },
): Promise<boolean> {
  const comesToSaySo = saysOptedOut(after) && !(before && saysOptedOut(before));
  if (input.opted_out !== true && !comesToSaySo) return false;
  await suppressNumbers(tx, { accountId: tx.account.id, numbers: [{ phone: after.phone }], by: actorOf(tx) });
  return true;
}

/** Takes the number off the list, with the reason that this needs: throws 422 without one. */
export async function followOptIn(
  tx: Tx<AccountContext>,
  { phone }: ProfileRow,
  { opted_out: isOut, opt_in_reason: reason }: ProfileChange,
): Promise<boolean> {
  if (isOut !== false || !(await isOptedOut(tx, phone))) return false;
  if (reason === undefined) {
    const message = 'Say why this person may be written to again';
    throw new InvalidInputError([{ path: 'opt_in_reason', message }]);
  }
  const lifted = await liftSuppressions(tx, {
    accountId: tx.account.id,
    phones: [phone],
    by: actorOf(tx),
    reason,
  });
  return lifted.size > 0;
}

async function isOptedOut(tx: Tx<AccountContext>, phone: string): Promise<boolean> {
  const state = (await findNumberStates(tx, [{ phone }])).get(phone);
  return (state?.opted_out_at ?? null) !== null;
}

/** Removes a profile's own opt-out words after an opt-in, which they would contradict. */
export async function removeOptOutWords(
  tx: Tx,
  { accountId, phoneKeys, at }: Extract<DomainEvent, { type: 'contacts.opted_in' }>,
): Promise<void> {
  const { rows } = await sql<ProfileRow>`
    select * from profiles
     where account_id = ${accountId} and phone_key(phone) = any(${phoneKeys}::text[]) and not is_twin
     order by id for update
  `.execute(tx.db);
  for (const row of rows.filter(saysOptedOut)) {
    const { status, custom_fields: fields } = withoutOptOutWords(row);
    await tx.db
      .updateTable('profiles')
      .set({ status, custom_fields: fields === null ? null : JSON.stringify(fields), updated_at: at })
      .where('account_id', '=', accountId)
      .where('id', '=', row.id)
      .execute();
  }
}
