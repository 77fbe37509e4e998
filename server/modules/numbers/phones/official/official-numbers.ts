import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { CloudAccess, CloudSetup, PhoneNumberChange } from '#contracts/phone-numbers.ts';
import type { AccountContext, Context, Tx } from '#server/context.ts';
import { noteInDirectory } from '#server/modules/identity/cells/index.ts';
import { ConflictError } from '#server/platform/errors.ts';
import { createToken, hashToken } from '#server/platform/secrets.ts';
import { resealRows } from '#server/platform/reseal-rows.ts';
import type { CloudNumbersTable } from '../tables.ts';
import { findHoldsOf } from './number-holds.ts';
import { findPortfolios } from './portfolio.ts';

type CloudNumberRow = Selectable<CloudNumbersTable>;

export const accessContext = (phoneId: number) => `phone:${phoneId}:cloud`;
const callbackContext = (phoneId: number) => `phone:${phoneId}:callback`;

type Callback = { token: string; verifyToken: string };

/** The credentials as the connector reads them; see `CloudCredentials`. */
const credentialsText = ({ pin, ...access }: CloudAccess) => JSON.stringify({ ...access, pin: pin ?? null });

/** Keeps what an owner entered for a number, and makes the address under which Meta calls back. */
export async function keepOfficialNumber(
  tx: Tx<AccountContext>,
  { phoneId, access }: { phoneId: number; access: CloudAccess },
): Promise<void> {
  const callback: Callback = { token: createToken('callback'), verifyToken: createToken('callback') };
  await tx.db
    .insertInto('cloud_numbers')
    .values({
      account_id: tx.account.id,
      phone_id: phoneId,
      phone_number_id: access.phone_number_id,
      business_account_id: access.business_account_id,
      sealed: tx.secrets.seal(credentialsText(access), accessContext(phoneId)),
      callback_hash: hashToken(callback.token),
      callback_sealed: tx.secrets.seal(JSON.stringify(callback), callbackContext(phoneId)),
    })
    .execute();
}

/** Takes what a business gave the operator's app, in place of what was there. */
export async function keepSignUp(
  tx: Tx<AccountContext>,
  { phoneId, access, appId }: { phoneId: number; access: CloudAccess; appId: string },
): Promise<void> {
  const before = await lockAccess(tx, phoneId);
  await tx.db
    .updateTable('cloud_numbers')
    .set({
      phone_number_id: access.phone_number_id,
      business_account_id: access.business_account_id,
      sealed: tx.secrets.seal(JSON.stringify({ ...before, ...access }), accessContext(phoneId)),
      operator_app_id: appId,
      // A business that signs up again may share once more what the Business app holds.
      shared_asked_at: null,
    })
    .where('account_id', '=', tx.account.id)
    .where('phone_id', '=', phoneId)
    .execute();
  await noteInDirectory(tx, [{ businessAccountId: access.business_account_id }]);
}

async function lockAccess(tx: Tx<AccountContext>, phoneId: number): Promise<CloudAccess> {
  const row = await tx.db
    .selectFrom('cloud_numbers')
    .select('sealed')
    .where('account_id', '=', tx.account.id)
    .where('phone_id', '=', phoneId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notOfficial();
  return JSON.parse(tx.secrets.open(row.sealed, accessContext(phoneId))) as CloudAccess;
}

/** Replaces what is named, and keeps the rest as it was. Another secret is that of an app of the owner's. */
export async function changeOfficialAccess(
  tx: Tx<AccountContext>,
  { phoneId, access }: { phoneId: number; access: NonNullable<PhoneNumberChange['cloud']> },
): Promise<void> {
  const before = await lockAccess(tx, phoneId);
  await tx.db
    .updateTable('cloud_numbers')
    .set({
      sealed: tx.secrets.seal(JSON.stringify({ ...before, ...access }), accessContext(phoneId)),
      ...(access.app_secret !== undefined && { operator_app_id: null }),
    })
    .where('account_id', '=', tx.account.id)
    .where('phone_id', '=', phoneId)
    .execute();
}

export const notOfficial = () =>
  new ConflictError('not_an_official_number', 'This phone number is not one of the official API');

/** The credentials that a connector reads; undefined for a phone that has none. */
export async function findOfficialCredentials(
  ctx: Context,
  { accountId, phoneId }: { accountId: number; phoneId: number },
): Promise<string | undefined> {
  const row = await ctx.db
    .selectFrom('cloud_numbers')
    .select(['phone_id', 'sealed', 'operator_app_id'])
    .where('account_id', '=', accountId)
    .where('phone_id', '=', phoneId)
    .executeTakeFirst();
  if (!row) return undefined;
  return JSON.stringify({ ...openAccess(ctx, row), ...(row.operator_app_id !== null && { signed_up: true }) });
}

/** The credentials of a number; the secret of the operator's app is the one that is set now. */
export function openAccess(
  { secrets, config }: Context,
  row: Pick<CloudNumberRow, 'phone_id' | 'sealed' | 'operator_app_id'>,
): CloudAccess {
  const access = JSON.parse(secrets.open(row.sealed, accessContext(row.phone_id))) as CloudAccess;
  const { app } = config.cloudApi;
  return app && row.operator_app_id === app.id ? { ...access, app_secret: app.secret } : access;
}

/** A WhatsApp Business Account, with the numbers of ours that belong to it. */
export type BusinessAccount = { businessAccountId: string; phoneIds: number[] };

/** The business accounts of an account's numbers, in their order. */
export async function findBusinessAccounts(ctx: Context, accountId: number): Promise<BusinessAccount[]> {
  const rows = await ctx.db
    .selectFrom('cloud_numbers')
    .select(['business_account_id', 'phone_id'])
    .where('account_id', '=', accountId)
    .orderBy('phone_id')
    .execute();
  const grouped = Map.groupBy(rows, (row) => row.business_account_id);
  return [...grouped].map(([businessAccountId, of]) => ({
    businessAccountId,
    phoneIds: of.map((row) => row.phone_id),
  }));
}

/** The values that Meta needs for each of these phones, by their ids. */
export async function findOfficialSetups(
  ctx: Context,
  accountId: number,
  phoneIds: readonly number[],
): Promise<Map<number, CloudSetup>> {
  if (phoneIds.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('cloud_numbers')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('phone_id', '=', sql<number>`any(${phoneIds}::bigint[])`)
    .execute();
  const portfolios = await findPortfolios(ctx, accountId, [...new Set(rows.map((row) => row.business_account_id))]);
  const holds = await findHoldsOf(ctx, accountId, phoneIds);
  return new Map(
    rows.map((row) => {
      const people = portfolios.get(row.business_account_id)?.used ?? 0;
      return [row.phone_id, presentSetup(ctx, row, { people, holds: holds.get(row.phone_id) ?? [] })];
    }),
  );
}

type SetupParts = { people: number; holds: CloudSetup['holds'] };

function presentSetup(ctx: Context, row: CloudNumberRow, { people, holds }: SetupParts): CloudSetup {
  const { token, verifyToken } = openCallback(ctx, row);
  return {
    phone_number_id: row.phone_number_id,
    business_account_id: row.business_account_id,
    callback_url: `${ctx.config.publicUrl}/hooks/whatsapp/${token}`,
    verify_token: verifyToken,
    webhook_verified_at: row.verified_at?.toISOString() ?? null,
    webhook_seen_at: row.seen_at?.toISOString() ?? null,
    people_begun: people,
    holds,
    signed_up: row.operator_app_id !== null,
    facts: row.facts,
    facts_at: row.facts_at?.toISOString() ?? null,
  };
}

export const openCallback = (ctx: Context, { phone_id: id, callback_sealed: sealed }: CloudNumberRow) =>
  JSON.parse(ctx.secrets.open(sealed, callbackContext(id))) as Callback;

/** The phones of an account by Meta's ids of their numbers: one webhook serves all of a business account. */
export async function findOfficialPhones(
  ctx: Context,
  accountId: number,
  phoneNumberIds: readonly string[],
): Promise<Map<string, { phoneId: number; projectId: number; number: string }>> {
  const rows = await ctx.db
    .selectFrom('cloud_numbers as c')
    .innerJoin('phones as p', (join) =>
      join.onRef('p.account_id', '=', 'c.account_id').onRef('p.id', '=', 'c.phone_id'),
    )
    .select(['c.phone_number_id', 'p.id', 'p.project_id', 'p.number'])
    .where('c.account_id', '=', accountId)
    .where('c.phone_number_id', '=', sql<string>`any(${phoneNumberIds}::text[])`)
    .orderBy('p.id', 'desc')
    .execute();
  return new Map(
    rows.map((row) => [row.phone_number_id, { phoneId: row.id, projectId: row.project_id, number: row.number ?? '' }]),
  );
}

/** Encrypts what is kept of official numbers anew where it is not under the current key; answers how many. */
export async function resealOfficialNumbers(ctx: Context): Promise<number> {
  return resealRows({
    first: 0,
    // account-wide: a key belongs to the operator, not to an account.
    read: (after, limit) =>
      ctx.db
        .selectFrom('cloud_numbers')
        .selectAll()
        .where('phone_id', '>', after)
        .orderBy('phone_id')
        .limit(limit)
        .execute(),
    keyOf: ({ phone_id: id }) => id,
    async reseal(row) {
      const sealed = ctx.secrets.reseal(row.sealed, accessContext(row.phone_id));
      const callback = ctx.secrets.reseal(row.callback_sealed, callbackContext(row.phone_id));
      if (!sealed && !callback) return 'current';
      await ctx.db
        .updateTable('cloud_numbers')
        .set({ sealed: sealed ?? row.sealed, callback_sealed: callback ?? row.callback_sealed })
        .where('phone_id', '=', row.phone_id)
        .where('sealed', '=', row.sealed)
        .execute();
      return 'resealed';
    },
  });
}
