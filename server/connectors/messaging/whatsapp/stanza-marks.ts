import type { proto } from 'baileys';

/**
 * Baileys 7.0.0-rc14 reads the attributes of a stanza off the fields of its message, and does not know all that the
 * official client gives: a text with a preview is of type `media` and media type `url`, a document with a caption of
 * media type `document`, and what changes another message is hidden where it cannot be decrypted. A field with the same
 * consequence marks such a message for Baileys, and is taken off before anything is encrypted.
 */
const marked = new WeakMap<proto.IMessage, proto.IMessage>();

export function markForStanza(message: proto.IMessage): proto.IMessage {
  const mark = markOf(message);
  if (!mark) return message;
  const copy = { ...message, ...mark };
  marked.set(copy, message);
  return copy;
}

function markOf(message: proto.IMessage): proto.IMessage | undefined {
  if (message.extendedTextMessage?.title) return { groupInviteMessage: {} };
  if (message.documentWithCaptionMessage) return { documentMessage: {} };
  return message.protocolMessage ? { pinInChatMessage: {} } : undefined;
}

/** The message as it is encrypted, for a recipient or inside the copy for the account's own devices. */
export function withoutMarks<M extends proto.IMessage>(message: M): M {
  const plain = marked.get(message);
  if (plain) return plain as M;
  const { deviceSentMessage } = message;
  const own = deviceSentMessage?.message && marked.get(deviceSentMessage.message);
  return own ? { ...message, deviceSentMessage: { ...deviceSentMessage, message: own } } : message;
}
