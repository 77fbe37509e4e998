/** Changes that are encrypted with the secret of the message they name: edits and votes in polls. */
import { createCipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { proto } from 'baileys';

const uses = { edit: 'Message Edit', vote: 'Poll Vote' } as const;

/** `author` and `sender` are addresses without a device: who wrote the message, and who changes it. */
export type Sealing = { id: string; secret: Uint8Array; author: string; sender: string };

function seal(use: keyof typeof uses, { id, secret, author, sender }: Sealing, plain: Uint8Array) {
  const info = Buffer.from(`${id}${author}${sender}${uses[use]}`);
  const key = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(32), info, 32));
  const encIv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, encIv);
  // An edit is sealed without associated data.
  if (use === 'vote') cipher.setAAD(Buffer.from(`${id}\0${sender}`));
  const encPayload = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return { encPayload, encIv };
}

export function sealedEdit(sealing: Sealing, key: proto.IMessageKey, editedMessage: proto.IMessage): proto.IMessage {
  const type = proto.Message.ProtocolMessage.Type.MESSAGE_EDIT;
  const plain = proto.Message.encode({ protocolMessage: { key, type, editedMessage } }).finish();
  const secretEncType = proto.Message.SecretEncryptedMessage.SecretEncType.MESSAGE_EDIT;
  return { secretEncryptedMessage: { targetMessageKey: key, secretEncType, ...seal('edit', sealing, plain) } };
}

/** The vote names the options by the SHA-256 of their texts. */
export function sealedVote(sealing: Sealing, key: proto.IMessageKey, options: readonly string[]): proto.IMessage {
  const selectedOptions = options.map((option) => createHash('sha256').update(option).digest());
  const plain = proto.Message.PollVoteMessage.encode({ selectedOptions }).finish();
  return { pollUpdateMessage: { pollCreationMessageKey: key, vote: seal('vote', sealing, plain) } };
}
