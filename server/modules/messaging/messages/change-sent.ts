import { connectorTraits } from '#contracts/connectors.ts';
import { deletableMs, editableMs } from '#contracts/message-content.ts';
import type { Message } from '#contracts/messages.ts';
import type { AccountOrProjectContext } from '#server/context.ts';
import { lidOf } from '#server/connectors/messaging/port.ts';
import { getPhone } from '#server/modules/numbers/phones/index.ts';
import { ConflictError } from '#server/platform/errors.ts';
import { numberForms } from '#contracts/understand-number.ts';
import { answeredBy, resolveMentions } from './content/resolve-content.ts';
import type { Requested } from './content/resolve-content.ts';
import { getMessageRow } from './get-message.ts';
import { boundMessage, presentMessage } from './present.ts';
import type { MessageRow } from './present.ts';
import { submit } from './send-message.ts';
import type { Sending } from './send-message.ts';

type Change = { type: 'edit'; text: string; mentions?: Requested['mentions'] } | { type: 'deletion' };

/**
 * Edits a message that was sent, or deletes it for everybody: the change goes out as a record of its own, and the message
 * is changed once the network took it. Answers with the message; 202 where the network has not answered yet. Throws 409
 * `not_changeable`, and what `sendMessage` throws.
 */
export async function changeSent(
  ctx: AccountOrProjectContext,
  sending: Sending,
  { messageId, change }: { messageId: number; change: Change },
): Promise<{ status: 200 | 202; body: Message }> {
  const row = await getMessageRow(ctx, messageId);
  const fault = faultOf(row, change, ctx.clock.now());
  if (fault !== undefined) throw new ConflictError('not_changeable', fault);
  const found = answeredBy(row, numberForms(row.recipient ?? ''));
  if (!found) throw new ConflictError('not_changeable', 'It is not known how the network calls this message');
  const { connector } = await getPhone(ctx, found.phoneId);
  if (!connectorTraits[connector].changesSent)
    throw new ConflictError('not_changeable', 'Numbers of the official API cannot change what they sent');
  const mentions = change.type === 'edit' ? await mentionsOf(ctx, row, change) : [];
  const submission = {
    content: change.type === 'edit' ? { type: change.type, text: change.text } : change,
    ...(mentions.length > 0 && { manner: { mentions } }),
    answered: found.answered,
    phoneId: found.phoneId,
    to: row.recipient ?? '',
    metadata: undefined,
    key: undefined,
    // Opted-out recipients get nothing more, but messages that they have may be deleted.
    override_opt_out: change.type === 'deletion',
  };
  const project = { id: row.project_id };
  const submitted = await submit({ ...ctx, project }, sending, { submission, respondAsync: false });
  const after = presentMessage(await getMessageRow(ctx, messageId));
  const isSettled = 'isSettled' in submitted && submitted.isSettled;
  return { status: isSettled ? 200 : 202, body: boundMessage(ctx, after) };
}

/** Whom the new text mentions: as the caller says, else those whom the message mentioned and the text still names. */
async function mentionsOf(
  ctx: AccountOrProjectContext,
  row: MessageRow,
  { text, mentions }: Extract<Change, { type: 'edit' }>,
): Promise<string[]> {
  if (mentions !== undefined) return resolveMentions(ctx, mentions);
  const before = presentMessage(row).context?.mentions ?? [];
  return before.filter((person) => new RegExp(`@${lidOf(person) ?? person}(?!\\d)`).test(text));
}

/** Why the message cannot be changed so; undefined where it can. */
function faultOf(row: MessageRow, { type }: Change, now: Date): string | undefined {
  const { direction, status, sent_at: sentAt, deleted_at: deletedAt } = row;
  if (direction === 'incoming') return 'It came from outside';
  if (status === 'failed') return 'It failed';
  if (sentAt === null) return 'It has not been sent yet: cancel it with POST /api/messages/{messageId}/cancel';
  if (deletedAt !== null) return 'It was deleted';
  if (row.recipient === null) return 'Its recipient is not known';
  const ageMs = now.getTime() - sentAt.getTime();
  if (type === 'deletion') return ageMs > deletableMs ? 'It was sent more than 60 hours ago' : undefined;
  if ((row.type ?? 'text') !== 'text') return 'Only the text of a message without media can be changed';
  return ageMs > editableMs ? 'It was sent more than 15 minutes ago' : undefined;
}
