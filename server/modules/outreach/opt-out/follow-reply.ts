import type { Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { queueConfirmation } from '#server/modules/messaging/messages/index.ts';
import { findAccountHold } from '#server/modules/outreach/recipients/index.ts';
import {
  findSettings,
  liftSuppressions,
  noteConfirmation,
  suppressNumbers,
  wasConfirmed,
} from '#server/modules/audience/suppressions/index.ts';

type Replied = Extract<DomainEvent, { type: 'contact.replied' }>;

/** A message that was under way for longer, as the phone was away, is answered no more. */
const answeredForMs = 24 * 60 * 60 * 1000;

/** Somebody opts out, or in, by a message: the list follows, and what changed is confirmed to them. */
export async function followReply(tx: Tx, replied: Replied): Promise<void> {
  const { accountId, person: phone, messageId, text, reply } = replied;
  const evidence = { message_id: messageId, text };
  if (reply === 'opt_out') {
    const added = await suppressNumbers(tx, { accountId, numbers: [{ phone, evidence }], by: 'reply' });
    if (added.size > 0) await confirm(tx, replied, 'opted_out');
    return;
  }
  const lifted = await liftSuppressions(tx, { accountId, phones: [phone], by: 'reply', reason: null, evidence });
  if (lifted.size > 0) await confirm(tx, replied, 'opted_in');
}

/** Where the phone cannot send now, nothing is confirmed: a confirmation of days later would be a riddle. */
async function confirm(tx: Tx, replied: Replied, action: 'opted_out' | 'opted_in'): Promise<void> {
  const { accountId, projectId, phoneId, person, receivedAt } = replied;
  const settings = await findSettings(tx, accountId);
  const isOn = action === 'opted_out' ? settings.confirms_opt_out : settings.confirms_opt_in;
  const now = tx.clock.now();
  if (!isOn || now.getTime() - receivedAt.getTime() > answeredForMs) return;
  if ((await findAccountHold(tx, accountId)) !== null || (await wasConfirmed(tx, { accountId, phone: person, action })))
    return;
  const { timezone } = await tx.db
    .selectFrom('accounts')
    .select('timezone')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const message = action === 'opted_out' ? settings.opt_out_text : settings.opt_in_text;
  const account = { id: accountId, timezone };
  if (!(await queueConfirmation(tx, { account, projectId, phoneId, to: person, message }))) return;
  await noteConfirmation(tx, { accountId, phone: person, action });
}
