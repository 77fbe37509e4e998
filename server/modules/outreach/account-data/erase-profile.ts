import { sql } from 'kysely';
import { numberForms } from '#contracts/understand-number.ts';
import { recordingAct } from '#server/audit.ts';
import type { AccountContext, Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { eraseImportedRows } from '#server/modules/audience/imports/index.ts';
import { eraseNumber } from '#server/modules/audience/suppressions/index.ts';
import { deleteProfile, getProfileRow, phoneKey } from '#server/modules/audience/profiles/index.ts';
import type { ProfileRow } from '#server/modules/audience/profiles/index.ts';
import { eraseDraftsOf } from '#server/modules/identity/drafts/index.ts';
import { eraseConversationsOf } from '#server/modules/messaging/conversations/index.ts';
import { forgetContactFacts, forgetHandsetNames } from '#server/modules/messaging/contacts/index.ts';
import { removeFilesOfPerson } from '#server/modules/messaging/media/index.ts';
import { eraseMessagesOf } from '#server/modules/messaging/messages/index.ts';
import { eraseRecordsNaming } from '#server/modules/messaging/webhooks/index.ts';
import { forgetChecks } from '#server/modules/numbers/asking/index.ts';
import { forgetContact } from '#server/modules/numbers/health/index.ts';
import { findUserIds, forgetScopedUsers } from '#server/modules/numbers/phones/index.ts';
import { eraseRows } from '#server/modules/outreach/bulk/index.ts';
import { eraseRecipient } from '#server/modules/outreach/campaigns/index.ts';
import { eraseDeliveries } from '#server/modules/outreach/flows/index.ts';
import { forgetLastWrites } from '#server/modules/outreach/outcomes/index.ts';

/**
 * Forgets a person. Messages, records and rows of files go first, in slices; the contact goes last, together with its act, so that it is
 * still there after a failure and can be erased again. Throws 404, and 503 `busy` while a message to them is being sent.
 */
export async function eraseProfile(ctx: AccountContext, { profileId }: { profileId: number }): Promise<undefined> {
  const accountId = ctx.account.id;
  const profile = await getProfileRow(ctx, profileId);
  const numbers = numberForms(profile.phone);
  const phoneKeys = [...new Set(numbers.map(phoneKey))];
  const lids = [...(await findAddresses(ctx, numbers)), ...(await findUserIds(ctx, accountId, phoneKeys))];
  const contactKeys = [...phoneKeys, ...lids.map((lid) => `lid:${lid}`)];
  const files = await eraseMessagesOf(ctx, { accountId, profileId, numbers, contactKeys, withWaiting: false });
  if (files.length > 0) await removeFilesOfPerson(ctx, { accountId, ids: files });
  await eraseRecordsNaming(ctx, { accountId, texts: [...numbers, ...lids] });
  await eraseImportedRows(ctx, { accountId, numbers });
  await eraseDraftsOf(ctx, { accountId, profileId, numbers });
  return inTransaction(ctx, async (tx) => {
    const { fingerprint, conversationIds } = await recordingAct(tx, (acting) =>
      forget(acting, { profile, numbers, phoneKeys, contactKeys }),
    );
    const names = [profile.name, profile.phone_given, ...numbers, ...numbers.map((each) => `+${each}`)];
    // After the act's own row, which names them too.
    await eraseFromLogs(tx, {
      accountId,
      profileId,
      conversationIds,
      names: names.filter((name) => name !== null),
      numbers,
      fingerprint,
    });
    return undefined;
  });
}

type Person = {
  profile: ProfileRow;
  numbers: readonly string[];
  phoneKeys: readonly string[];
  contactKeys: readonly string[];
};

/** Answers the fingerprint of the number. */
async function forget(
  tx: Tx<AccountContext>,
  { profile, numbers, phoneKeys, contactKeys }: Person,
): Promise<{ fingerprint: string; conversationIds: number[] }> {
  const [accountId, profileId] = [tx.account.id, profile.id];
  // Waiting entries of ledgers are withdrawn with the contact, and counted.
  await deleteProfile(tx, { profileId });
  await eraseMessagesOf(tx, { accountId, profileId, numbers, contactKeys, withWaiting: true });
  const conversationIds = await eraseConversationsOf(tx, { accountId, contactKeys });
  await eraseRecipient(tx, { accountId, profileId });
  await eraseDeliveries(tx, { accountId, profileId });
  await eraseRows(tx, { accountId, numbers });
  await forgetContact(tx, { accountId, phoneKeys, numbers });
  await forgetScopedUsers(tx, { accountId, phoneKeys });
  await forgetContactFacts(tx, { accountId, phoneKeys: contactKeys });
  await forgetHandsetNames(tx, { accountId, contactKeys });
  await forgetChecks(tx, { accountId, phoneKeys });
  await forgetLastWrites(tx, { accountId, phoneKeys });
  const fingerprint = await eraseNumber(tx, { accountId, number: profile.phone, forms: numbers });
  return { fingerprint, conversationIds };
}

/** The network's own addresses of whoever has one of these numbers, as phones were told. */
async function findAddresses({ db, account }: AccountContext, numbers: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ lid: string }>`
    select lid from contact_facts where account_id = ${account.id} and number = any(${numbers}::text[]) and lid is not null
    union
    select lid from number_checks where account_id = ${account.id} and number = any(${numbers}::text[]) and lid is not null
  `.execute(db);
  return rows.map(({ lid }) => lid);
}

type Erased = {
  accountId: number;
  profileId: number;
  conversationIds: readonly number[];
  names: readonly string[];
  numbers: readonly string[];
  fingerprint: string;
};

/** The application may not change the logs: a function of their owner does, and knows nothing but this. */
async function eraseFromLogs(
  { db }: Context,
  { accountId, profileId, conversationIds, names, numbers, fingerprint }: Erased,
): Promise<void> {
  await sql`
    select erase_person_from_logs(${accountId}, ${profileId}, ${conversationIds}::bigint[], ${names}::text[],
      ${numbers}::text[], ${fingerprint.slice(0, 16)})
  `.execute(db);
}
