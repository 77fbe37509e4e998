import { layOutMail } from '#server/connectors/mail/lay-out-mail.ts';
import type { Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { announceProjectKeys, publishLive } from '#server/modules/identity/live/index.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { sendMail } from '#server/modules/identity/mails/index.ts';
import { unmarkForDeletion } from './mark-for-deletion.ts';
import { findPeople } from './people.ts';

const mailUsefulForMs = 5 * 86_400_000;

/**
 * Stops what the account sends: no message of it is claimed from the moment in which this commits, and its people may
 * read, but neither change nor send anything. `reason` is a sentence that they read. Phones stay linked, and what was
 * accepted waits. An account that is suspended already gets the new reason.
 */
export async function suspendAccount(ctx: Context, input: { accountId: number; reason: string }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await setSuspension(tx, { ...input, at: tx.clock.now() });
    await announceAccess(tx, input.accountId, 'access.closed');
    await mailReason(tx, input);
  });
}

type MailParts = Omit<Parameters<typeof layOutMail>[0], 'name' | 'action'>;

async function mailManagers(tx: Tx, accountId: number, parts: MailParts): Promise<void> {
  for (const { name, email } of await findPeople(tx, { accountId, permission: 'account:write' })) {
    const mail = layOutMail({ ...parts, name, action: { label: 'Open Dovepost', link: tx.config.publicUrl } });
    await sendMail(tx, { mail: { to: email, ...mail }, usefulForMs: mailUsefulForMs });
  }
}

const mailReason = (tx: Tx, { accountId, reason }: { accountId: number; reason: string }): Promise<void> =>
  mailManagers(tx, accountId, {
    subject: 'Dovepost: your account is suspended',
    preview: 'Nothing is sent until the suspension is lifted.',
    heading: 'Your account is suspended',
    paragraphs: ['Nothing is sent from your Dovepost account until the suspension is lifted. What was accepted waits.'],
    facts: [{ term: 'Reason', value: reason }],
    footnote: 'If you think that this is a mistake, write to the operator of this server.',
  });

const mailEnd = (tx: Tx, accountId: number, { isKept }: { isKept: boolean }): Promise<void> =>
  mailManagers(tx, accountId, {
    subject: 'Dovepost: your account is not suspended any more',
    preview: 'What was accepted and waits is sent from now on.',
    heading: 'Your account is not suspended any more',
    paragraphs: [
      'The operator of this server has lifted the suspension of your Dovepost account. What was accepted and waits is sent ' +
        'from now on.',
      ...(isKept ? ['The account is not deleted. Its numbers were signed out: connect them again.'] : []),
    ],
    footnote: 'You get this mail because you manage the account.',
  });

/** Lets the account's waiting messages go again, and keeps an account that was to be deleted. */
export async function resumeAccount(ctx: Context, { accountId }: { accountId: number }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const account = await tx.db
      .selectFrom('accounts')
      .select('suspended_at')
      .where('id', '=', accountId)
      .forUpdate()
      .executeTakeFirst();
    const isKept = await unmarkForDeletion(tx, accountId, 'operator');
    await setSuspension(tx, { accountId, reason: null, at: null });
    await announceAccess(tx, accountId, 'access.opened');
    if (account && account.suspended_at !== null) await mailEnd(tx, accountId, { isKept });
  });
}

async function setSuspension(
  tx: Tx,
  { accountId, reason, at }: { accountId: number; reason: string | null; at: Date | null },
): Promise<void> {
  const account = await tx.db
    .updateTable('accounts')
    .set({ suspended_at: at, suspension_reason: reason })
    .where('id', '=', accountId)
    .returning('id')
    .executeTakeFirst();
  if (!account) throw new NotFoundError('Account');
  await announceProjectKeys(tx, accountId);
}

/** Tells what waits, and open pages, that the account may send again, or not any more. */
export async function announceAccess(
  tx: Tx,
  accountId: number,
  type: 'access.opened' | 'access.closed',
): Promise<void> {
  await tx.onDomainEvents(tx, [{ type, accountId, at: tx.clock.now() }]);
  await publishLive(tx, accountId, { type: 'subscription.changed' });
}
