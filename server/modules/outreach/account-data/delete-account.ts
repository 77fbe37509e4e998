import type { AccountDeletion } from '#contracts/account-data.ts';
import { layOutMail } from '#server/connectors/mail/lay-out-mail.ts';
import type { AccountContext, Context, Tx, UserContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import {
  announceAccess,
  deleteRows,
  deletionDays,
  emptyAccount,
  findDueForDeletion,
  findPeople,
  isDueForDeletion,
  markForDeletion,
  orderDeletion,
  suspendAccount,
  unmarkForDeletion,
} from '#server/modules/identity/accounts/index.ts';
import type { DueAccount } from '#server/modules/identity/accounts/index.ts';
import { cancelSubscription } from '#server/modules/identity/billing/index.ts';
import { sendMail } from '#server/modules/identity/mails/index.ts';
import { endAllMemberships, worksElsewhere } from '#server/modules/identity/memberships/index.ts';
import { identityTables } from '#server/modules/identity/oidc/index.ts';
import { personalTables } from '#server/modules/identity/users/index.ts';
import { removeFilesOf } from '#server/modules/messaging/media/index.ts';
import { signOutAccountPhones } from '#server/modules/numbers/phones/index.ts';
import { ConflictError } from '#server/platform/errors.ts';
import { removeArchivesOf } from './exports.ts';

const mailUsefulForMs = 5 * 86_400_000;

/**
 * Has the account deleted in 14 days; a repeat changes nothing. Throws what the cancellation of its subscription
 * throws, and then nothing else has changed.
 */
export async function requestDeletion(ctx: UserContext): Promise<AccountDeletion> {
  await cancelWhatRenews(ctx);
  return inTransaction(ctx, async (tx) => {
    const { deletesAt, isNew } = await markForDeletion(tx, { accountId: tx.account.id, userId: tx.actor.userId });
    if (isNew) {
      await announceAccess(tx, tx.account.id, 'access.closed');
      await signOutAccountPhones(tx, 'The account is to be deleted');
      await mailOwners(tx, {
        subject: 'Dovepost: your account will be deleted',
        heading: `Your account will be deleted in ${deletionDays} days`,
        paragraphs: [
          'An owner of your Dovepost account asked for it to be deleted. Nothing is sent any more, keys have stopped, and its numbers are disconnected.',
          'Until then an owner can keep it, and its data can be exported, in the settings.',
        ],
        facts: [{ term: 'Deleted on', value: `${deletesAt.toISOString().slice(0, 16).replace('T', ' ')} UTC` }],
      });
    }
    return { deletes_at: deletesAt.toISOString() };
  });
}

/**
 * An operator has the account deleted in so many days: it is suspended until then, and its people read the reason in a
 * mail and on every page. Throws what the cancellation of its subscription throws, and then nothing else has changed.
 */
export async function deleteByOperator(
  ctx: AccountContext,
  { days, reason, record }: { days: number; reason: string; record(tx: Tx): Promise<void> },
): Promise<void> {
  await cancelWhatRenews(ctx);
  const accountId = ctx.account.id;
  await inTransaction(ctx, async (tx) => {
    await suspendAccount(tx, { accountId, reason: await orderDeletion(tx, { accountId, days, reason }) });
    await signOutAccountPhones(tx, 'The account is to be deleted');
    await record(tx);
  });
}

async function cancelWhatRenews(ctx: AccountContext): Promise<void> {
  try {
    await cancelSubscription(ctx);
  } catch (error) {
    if (!(error instanceof ConflictError) || error.code !== 'not_subscribed') throw error;
  }
}

/** Throws 409 `not_to_be_deleted`. Numbers stay disconnected, and the subscription stays cancelled. */
export function takeDeletionBack(ctx: UserContext): Promise<AccountDeletion> {
  return inTransaction(ctx, async (tx) => {
    if (!(await unmarkForDeletion(tx, tx.account.id, 'owner')))
      throw new ConflictError('not_to_be_deleted', 'Nobody has asked for this account to be deleted');
    await announceAccess(tx, tx.account.id, 'access.opened');
    await mailOwners(tx, {
      subject: 'Dovepost: your account stays',
      heading: 'Your account stays',
      paragraphs: ['The deletion of your Dovepost account was taken back. Connect its numbers again in the dashboard.'],
    });
    return { deletes_at: null };
  });
}

type Words = {
  subject: string;
  heading: string;
  paragraphs: string[];
  facts?: { term: string; value: string }[];
};

async function mailOwners(ctx: AccountContext, words: Words): Promise<void> {
  for (const { name, email } of await findPeople(ctx, { accountId: ctx.account.id, permission: 'owners:write' })) {
    const mail = layOutMail({
      ...words,
      preview: words.paragraphs[0] ?? '',
      name,
      action: { label: 'Open the settings', link: `${ctx.config.publicUrl}/settings` },
      footnote: 'If you did not expect this, sign in, keep the account and change your password.',
    });
    await sendMail(ctx, { mail: { to: email, ...mail }, usefulForMs: mailUsefulForMs });
  }
}

/** Tables whose rows stay when an account goes: payments by law, the operator's own log, and who was a member of what. */
export const keptTables = ['payments', 'operator_acts', 'memberships'];

const rowsAtOnce = 2_000;

/** Deletes accounts whose time has come. An account that breaks off goes on in the next round, and stops none of the others. */
export async function deleteDueAccounts(ctx: Context): Promise<void> {
  for (const account of await findDueForDeletion(ctx)) {
    try {
      await deleteAccount(ctx, account);
    } catch (error) {
      ctx.logger.error({ err: error, accountId: account.id }, 'an account could not be deleted and is tried again');
    }
  }
}

async function deleteAccount(ctx: Context, { id: accountId, name }: DueAccount): Promise<void> {
  const isDue = await inTransaction(ctx, async (tx) => {
    // Asked again: an owner may have kept it while accounts before it were deleted.
    if (!(await isDueForDeletion(tx, accountId))) return false;
    const owners = await findPeople(tx, { accountId, permission: 'owners:write' });
    // Once: whoever was an owner is none afterwards. Streams and tabs of all members end here.
    await endAllMemberships(tx, accountId);
    for (const owner of owners) {
      const mail = layOutMail({
        subject: 'Dovepost: your account was deleted',
        preview: 'Its contacts, messages and files are gone.',
        heading: 'Your account was deleted',
        name: owner.name,
        paragraphs: [
          'The contacts, messages, files and settings of your Dovepost account are gone, as an owner asked for.',
        ],
        facts: [{ term: 'Account', value: name }],
        action: { label: 'Open Dovepost', link: tx.config.publicUrl },
        footnote: 'Records of payments are kept for as long as the law wants them.',
      });
      await sendMail(tx, { mail: { to: owner.email, ...mail }, usefulForMs: mailUsefulForMs });
    }
    return true;
  });
  if (!isDue) return;
  await removeArchivesOf(ctx, accountId);
  await removeFilesOf(ctx, accountId);
  const keepsPerson = await worksElsewhere(ctx, accountId);
  const kept = [...keptTables, ...(keepsPerson ? [...personalTables, ...identityTables] : [])];
  while ((await deleteRows(ctx, { accountId, kept, limit: rowsAtOnce })) > 0);
  await inTransaction(ctx, (tx) => emptyAccount(tx, { accountId, keepsPerson }));
  ctx.logger.info({ accountId }, 'an account was deleted');
}
