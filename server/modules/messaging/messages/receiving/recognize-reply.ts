import type { IncomingMessage } from '#server/connectors/messaging/port.ts';
import type { Tx } from '#server/context.ts';
import type { ContactReply } from '#server/domain-events.ts';
import { findSettings, lockPhones, mayBeReply, readReply } from '#server/modules/audience/suppressions/index.ts';
import type { ReceivingPhone } from './find-in-chat.ts';
import type { OfUnknown } from './learn-number.ts';

/** A word that opts out or in; `messageId` is undefined for the message that is about to be stored. */
type Found = Pick<ContactReply, 'reply' | 'text'> & { messageId: number | undefined };

/**
 * Whether a message from outside is one of the account's words; of a sender whose number is learnt with it, the latest
 * word that was kept meanwhile. It locks the account's phones before anything else is locked, as opting out withdraws
 * what waits for them.
 */
export async function recognizeReply(
  tx: Tx,
  { accountId }: ReceivingPhone,
  { peer, isFromHandset, content }: IncomingMessage,
  ofUnknown: readonly OfUnknown[],
): Promise<Found | undefined> {
  if (peer.number === undefined) return undefined;
  const own = !isFromHandset && 'text' in content ? [{ text: content.text, messageId: undefined }] : [];
  const kept = ofUnknown.flatMap(({ id, body, direction }) =>
    direction === 'incoming' ? [{ text: body, messageId: id }] : [],
  );
  const candidates = [...own, ...kept].filter(({ text }) => mayBeReply(text));
  if (candidates.length === 0) return undefined;
  const settings = await findSettings(tx, accountId);
  for (const candidate of candidates) {
    const reply = readReply(candidate.text, settings);
    if (!reply) continue;
    await lockPhones(tx, accountId);
    return { ...candidate, reply };
  }
  return undefined;
}
