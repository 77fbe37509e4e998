import { sql } from 'kysely';
import { lidPrefix, personOfPeer } from '#server/connectors/messaging/port.ts';
import type { IncomingMessage, Peer } from '#server/connectors/messaging/port.ts';
import type { Tx } from '#server/context.ts';
import type { ContactReply } from '#server/domain-events.ts';
import {
  findSettings,
  isAmbiguous,
  lockPhones,
  mayBeReply,
  optedOutAt,
  readReply,
} from '#server/modules/audience/suppressions/index.ts';
import { contactKey } from '../thread.ts';
import type { ReceivingPhone } from './find-in-chat.ts';
import type { OfUnknown } from './learn-number.ts';

/** A word that opts out or in; `messageId` is undefined for the message that is about to be stored. */
type Found = Pick<ContactReply, 'reply' | 'text'> & { messageId: number | undefined };

/**
 * Whether a message from outside is one of the account's words; of a sender whose number is learnt with it, the latest
 * word that was kept meanwhile. The account's phones are locked before anything else, as opting out withdraws the
 * messages that wait for them.
 */
export async function recognizeReply(
  tx: Tx,
  { accountId, projectId }: ReceivingPhone,
  { peer, isFromHandset, content }: IncomingMessage,
  ofUnknown: readonly OfUnknown[],
): Promise<Found | undefined> {
  const person = personOfPeer(peer);
  const own =
    !isFromHandset && 'text' in content
      ? [
          {
            text: content.text,
            messageId: undefined,
            isPressed: content.type === 'text' && content.isPressed === true,
          },
        ]
      : [];
  const kept = ofUnknown.flatMap(({ id, body, direction }) =>
    direction === 'incoming' ? [{ text: body, messageId: id, isPressed: false }] : [],
  );
  const candidates = [...own, ...kept].filter(({ text }) => mayBeReply(text));
  if (candidates.length === 0) return undefined;
  const settings = await findSettings(tx, accountId);
  for (const candidate of candidates) {
    const askedWith = isAmbiguous(candidate.text) ? await findLastWritten(tx, { accountId, projectId, person }) : '';
    const reply = readReply(candidate.text, settings, { isPressed: candidate.isPressed, askedWith });
    if (!reply) continue;
    await lockPhones(tx, accountId);
    return { text: candidate.text, messageId: candidate.messageId, reply };
  }
  return undefined;
}

/**
 * Where somebody's number is learnt who opted out under the LID: what waits for the number is withdrawn, so that the
 * account's phones are locked before anything else.
 */
export async function lockForLearnt(tx: Tx, { accountId }: ReceivingPhone, { lid }: Peer): Promise<void> {
  const { rows } = await sql<{ is_out: boolean }>`
    select ${optedOutAt(sql`${accountId}::bigint`, sql`${`${lidPrefix}${lid}`}::text`)} is not null as is_out
  `.execute(tx.db);
  if (rows[0]?.is_out === true) await lockPhones(tx, accountId);
}

/** The text that went to this person last, which may ask for an answer. */
async function findLastWritten(
  tx: Tx,
  { accountId, projectId, person }: { accountId: number; projectId: number; person: string },
): Promise<string> {
  const { rows } = await sql<{ body: string }>`
    select body from messages
     where account_id = ${accountId} and project_id = ${projectId} and ${contactKey} = phone_key(${person})
       and direction = 'outgoing'
     order by id desc
     limit 1
  `.execute(tx.db);
  return rows[0]?.body ?? '';
}
