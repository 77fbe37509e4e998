import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import { connectorsThat } from '#contracts/connectors.ts';
import type { Contact, ContactChange } from '#contracts/contacts.ts';
import type { WrittenPerson } from '#contracts/new-message.ts';
import { lidOf, lidPrefix } from '#server/connectors/messaging/port.ts';
import type { AccountContext, Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { findProfileOfNumber, inReach, phoneKey } from '#server/modules/audience/profiles/index.ts';
import { findNumberOfLid } from '#server/modules/messaging/messages/index.ts';
import { askPhone } from '#server/modules/numbers/asking/index.ts';
import { getPhone } from '#server/modules/numbers/phones/index.ts';
import type { PhoneRow } from '#server/modules/numbers/phones/index.ts';
import { requireNumber } from '#server/modules/numbers/reading/index.ts';
import { ConflictError, NotFoundError } from '#server/platform/errors.ts';
import { inScope } from '#server/scope.ts';
import type { ContactFactsTable } from './tables.ts';

/** The network is asked about a contact once a day. */
const freshMs = 24 * 60 * 60_000;
const keptMs = 30 * freshMs;

/** Somebody whom the account knows, by digits or `lid:` and a LID, and the phone that their network is asked by. */
type Known = { person: string; name: string | null; phone: PhoneRow };

/**
 * A contact's photo and about, as the phone that they wrote to last is told; another that is connected where that one is
 * gone. Throws 404 for a number that the account has neither a profile nor a conversation of, 409 `no_connected_phone`,
 * and as `askPhone`.
 */
export async function getContact(ctx: AccountContext, written: WrittenPerson): Promise<Contact> {
  const known = await findKnown(ctx, written);
  const row = await readFacts(ctx, known);
  if (row && ctx.clock.now().getTime() - row.fetched_at.getTime() < freshMs) return present(known, row);
  const {
    to: _to,
    kind: _kind,
    photo,
    ...facts
  } = await askPhone<'contact'>(ctx, known.phone, {
    kind: 'contact',
    number: known.person,
  });
  const number = facts.number ?? known.person;
  return present(
    known,
    await keep(ctx, known, { ...facts, number, photo: photo === null ? null : Buffer.from(photo, 'base64') }),
  );
}

/** Has the phone take nothing more from a contact, or take it again. Throws as `getContact`. */
export async function blockContact(ctx: AccountContext, written: WrittenPerson, isBlocked: boolean): Promise<Contact> {
  const before = await getContact(ctx, written);
  const known = await findKnown(ctx, written);
  await askPhone<'block'>(ctx, known.phone, { kind: 'block', number: known.person, isBlocked });
  await ctx.db
    .updateTable('contact_facts')
    .set({ is_blocked: isBlocked })
    .where('account_id', '=', ctx.account.id)
    .where('phone_id', '=', known.phone.id)
    .where('phone_key', '=', phoneKey(known.person))
    .execute();
  return { ...before, is_blocked: isBlocked };
}

async function findKnown(ctx: AccountContext, written: WrittenPerson): Promise<Known> {
  const person =
    'lid' in written
      ? ((await findNumberOfLid(ctx, written.lid)) ?? `${lidPrefix}${written.lid}`)
      : await requireNumber(ctx, { ...written, path: 'phone' });
  const accountId = ctx.account.id;
  const { rows } = await sql<{ name: string | null; phone_id: number | null }>`
    select * from (
      select c.contact_name as name, c.phone_id, 0 as place, c.last_message_id from conversations c
       where c.account_id = ${accountId} and c.contact_key = ${phoneKey(person)} and ${inScope(ctx, 'c.project_id')}
      union all
      select null, null, 1, 0 from profiles
       where profiles.account_id = ${accountId} and phone_key(profiles.phone) = ${phoneKey(person)} and ${inReach(ctx)}
    ) known
     order by place, last_message_id desc
     limit 1
  `.execute(ctx.db);
  const [known] = rows;
  if (!known) throw new NotFoundError('Contact');
  return { person, name: known.name, phone: await findPhone(ctx, known.phone_id) };
}

async function findPhone(ctx: AccountContext, phoneId: number | null): Promise<PhoneRow> {
  const connected = await ctx.db
    .selectFrom('phones')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where(inScope(ctx))
    .where('status', '=', 'connected')
    .where(
      'connector',
      'in',
      connectorsThat(({ answersQuestions }) => answersQuestions),
    )
    .orderBy(sql`id is distinct from ${phoneId}`)
    .orderBy('id')
    .executeTakeFirst();
  if (!connected) throw new ConflictError('no_connected_phone', 'No phone number that could ask is connected');
  return getPhone(ctx, connected.id);
}

type FactsRow = Selectable<ContactFactsTable>;

function readFacts(ctx: AccountContext, { person, phone }: Known): Promise<FactsRow | undefined> {
  return ctx.db
    .selectFrom('contact_facts')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('phone_id', '=', phone.id)
    .where('phone_key', '=', phoneKey(person))
    .executeTakeFirst();
}

type Told = Pick<FactsRow, 'number' | 'lid' | 'about' | 'photo' | 'is_blocked'>;

/** Keeps what the phone was told, and tells webhooks where it is not what it was told before. */
async function keep(ctx: AccountContext, known: Known, told: Told): Promise<FactsRow> {
  const { person, phone } = known;
  const facts = { ...told, fetched_at: ctx.clock.now() };
  return inTransaction(ctx, async (tx) => {
    const before = await readFacts(tx, known);
    const row = await tx.db
      .insertInto('contact_facts')
      .values({ account_id: ctx.account.id, phone_id: phone.id, phone_key: phoneKey(person), ...facts })
      .onConflict((conflict) => conflict.columns(['phone_id', 'phone_key']).doUpdateSet(facts))
      .returningAll()
      .executeTakeFirstOrThrow();
    const isAboutNew = before !== undefined && before.about !== row.about;
    const isPhotoNew = before !== undefined && !isDeepStrictEqual(before.photo, row.photo);
    const changed = [...(isAboutNew ? ['about' as const] : []), ...(isPhotoNew ? ['photo' as const] : [])];
    if (changed.length > 0) await tellChange(tx, known, { lid: row.lid, changed });
    return row;
  });
}

async function tellChange(
  tx: Tx<AccountContext>,
  { person, name, phone }: Known,
  news: Pick<ContactChange, 'lid' | 'changed'>,
): Promise<void> {
  const { account, clock } = tx;
  const at = clock.now();
  const number = shownNumber(person);
  const profileId = number === null ? null : await findProfileOfNumber(tx, account.id, number);
  const data = { ...news, phone: number, name, profile_id: profileId, at: at.toISOString() };
  const source = { accountId: account.id, projectId: phone.project_id, at };
  await tx.onDomainEvents(tx, [{ type: 'contact.changed', ...source, data }]);
}

const shownNumber = (person: string): string | null => (lidOf(person) === undefined ? person : null);

const present = ({ name, phone }: Known, row: FactsRow): Contact => ({
  number: shownNumber(row.number),
  lid: row.lid,
  name,
  about: row.about,
  photo: row.photo === null ? null : `data:image/jpeg;base64,${row.photo.toString('base64')}`,
  is_blocked: row.is_blocked,
  phone_id: phone.id,
  fetched_at: row.fetched_at.toISOString(),
});

const removedAtOnce = 1_000;

/** Forgets contacts that nobody has looked at for long. */
export async function removeOldContactFacts(ctx: Context): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - keptMs);
  await sql`
    delete from contact_facts f
     -- account-wide: time alone decides, whosever they are.
     using (select phone_id, phone_key from contact_facts where fetched_at < ${before} limit ${removedAtOnce}) old
     where f.phone_id = old.phone_id and f.phone_key = old.phone_key
  `.execute(ctx.db);
}

/** Forgets what phones were shown of a person, by the keys of their numbers, and `lid:` and their LIDs. */
export async function forgetContactFacts(
  { db }: Context,
  { accountId, phoneKeys }: { accountId: number; phoneKeys: readonly string[] },
): Promise<void> {
  await db
    .deleteFrom('contact_facts')
    .where('account_id', '=', accountId)
    .where('phone_key', 'in', phoneKeys)
    .execute();
}
