import { isLidUser, jidNormalizedUser } from 'baileys';
import type { BinaryNode, WASocket } from 'baileys';
import type { LinkPreview, OutgoingMessage } from '../port.ts';
import type { MediaReference } from './media/media-uploads.ts';
import type { Address } from './recipients.ts';
import { markForStanza } from './stanza-marks.ts';
import { stanzaParts, toProtocol } from './to-protocol.ts';

/** The account's own address, of the kind that a conversation has. */
export function ownAddress({ user }: Pick<WASocket, 'user'>, chat: string): string {
  return jidNormalizedUser((isLidUser(chat) ? user?.lid : undefined) ?? user?.id ?? '');
}

type Sending = {
  file: MediaReference | undefined;
  preview: LinkPreview | undefined;
  token: BinaryNode | undefined;
  secret: Buffer;
};

/** Encrypts a message for its recipient and writes it, with a token where it has one; the server's answer comes as an ack. */
export async function sendThrough(
  sock: WASocket,
  address: Address,
  message: OutgoingMessage,
  { file, preview, token, secret }: Sending,
): Promise<void> {
  const { jid, expiration } = address;
  const { networkId: messageId } = message;
  const carried = toProtocol(message, { jid, own: ownAddress(sock, jid), expiration, file, preview, secret });
  const { attributes, nodes } = stanzaParts(message);
  const additionalNodes = [...nodes, ...(token ? [token] : [])];
  await sock.relayMessage(jid, markForStanza(carried), {
    messageId,
    ...(Object.keys(attributes).length > 0 && { additionalAttributes: attributes }),
    ...(additionalNodes.length > 0 && { additionalNodes }),
  });
}
