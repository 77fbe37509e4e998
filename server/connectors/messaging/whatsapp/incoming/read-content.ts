import { normalizeMessageContent, proto } from 'baileys';
import type { MessageLocation } from '#contracts/message-content.ts';
import { cleanText, isDegrees, isStorableId, maxAddressLength, maxNameLength } from '../../network-values.ts';
import type { IncomingContent } from '../../port.ts';
import { readCommerce } from './read-commerce.ts';
import { readContacts } from './read-contacts.ts';
import { contextInfoOf, readContext } from './read-context.ts';
import { readMedia } from './read-media.ts';

const { REVOKE, MESSAGE_EDIT, SHARE_PHONE_NUMBER } = proto.Message.ProtocolMessage.Type;

/** Comes beside a message and says nothing by itself, or is between devices. */
const housekeeping = new Set([
  'messageContextInfo',
  'senderKeyDistributionMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
  'protocolMessage',
  'albumMessage',
  'pinInChatMessage',
  'keepInChatMessage',
]);

/**
 * Reads the content of a decrypted message; undefined for messages between devices alone. Content that we cannot show
 * comes as `unsupported` under the protocol's name for it, `unknown` for types newer than this library.
 */
export function readContent(message: proto.IMessage): IncomingContent | undefined {
  const content = normalizeMessageContent(message) ?? {};
  const change = readChange(content);
  if (change) return change;
  const media = readMedia(content);
  if (media) return media;
  const contacts = readContacts(content);
  if (contacts) return { type: 'contact', text: '', contacts };
  const location = readLocation(content);
  if (location) return { type: 'location', text: cleanText(content.liveLocationMessage?.caption ?? ''), location };
  const poll = readPoll(content);
  if (poll) return poll;
  const commerce = readCommerce(content);
  if (commerce) return commerce;
  const text = readText(content);
  if (text !== '') return { type: 'text', text, ...(isPressed(content) && { isPressed: true }) };
  return readUnsupported(content);
}

/** The network id of the message that this one answers. */
export function readReplyTo(message: proto.IMessage): string | undefined {
  const id = contextInfoOf(normalizeMessageContent(message) ?? {})?.stanzaId;
  return id && isStorableId(id) ? id : undefined;
}

/** WhatsApp allows 12 options of 100 characters. */
const maxOptions = 12;

export const pollOf = (content: proto.IMessage): proto.Message.IPollCreationMessage | null | undefined =>
  content.pollCreationMessage ??
  content.pollCreationMessageV2 ??
  content.pollCreationMessageV3 ??
  content.pollCreationMessageV4?.message?.pollCreationMessage ??
  content.pollCreationMessageV5;

function readPoll(content: proto.IMessage): IncomingContent | undefined {
  const poll = pollOf(content);
  if (!poll) return undefined;
  const question = cleanText(poll.name ?? '', 1_000);
  const options = (poll.options ?? [])
    .slice(0, maxOptions)
    .map(({ optionName }) => cleanText(optionName ?? '', maxNameLength));
  return { type: 'poll', text: question, poll: { question, options, multiple: poll.selectableOptionsCount !== 1 } };
}

function readChange({ reactionMessage, protocolMessage }: proto.IMessage): IncomingContent | undefined {
  if (protocolMessage?.type === SHARE_PHONE_NUMBER) return { type: 'number_shared' };
  const target = (reactionMessage ?? protocolMessage)?.key?.id;
  if (!target || !isStorableId(target)) return undefined;
  if (reactionMessage) return { type: 'reaction', target, emoji: cleanText(reactionMessage.text ?? '', 32) };
  if (protocolMessage?.type === REVOKE) return { type: 'revocation', target };
  if (protocolMessage?.type !== MESSAGE_EDIT || !protocolMessage.editedMessage) return undefined;
  return readEdit(protocolMessage.editedMessage, target);
}

/** The new wording of a message; undefined for what has none. */
export function readEdit(
  edited: proto.IMessage,
  target: string,
): Extract<IncomingContent, { type: 'edit' }> | undefined {
  const content = readContent(edited);
  if (!content || !('text' in content)) return undefined;
  const context = readContext(edited);
  return { type: 'edit', target, text: content.text, ...(context && { context }) };
}

const isPressed = (content: proto.IMessage): boolean =>
  Boolean(
    content.buttonsResponseMessage ??
    content.templateButtonReplyMessage ??
    content.listResponseMessage ??
    content.interactiveResponseMessage,
  );

function readLocation({ locationMessage, liveLocationMessage }: proto.IMessage): MessageLocation | undefined {
  const found = locationMessage ?? liveLocationMessage;
  const { degreesLatitude: latitude, degreesLongitude: longitude } = found ?? {};
  if (!isDegrees(latitude, 90) || !isDegrees(longitude, 180)) return undefined;
  return {
    latitude,
    longitude,
    name: cleanText(locationMessage?.name ?? '', maxNameLength) || null,
    address: cleanText(locationMessage?.address ?? '', maxAddressLength) || null,
  };
}

/** A text, what a button says that was pressed, or the words of a message with buttons. */
function readText(content: proto.IMessage): string {
  const { templateMessage, interactiveMessage, interactiveResponseMessage, listMessage } = content;
  const candidates = [
    content.conversation,
    content.extendedTextMessage?.text,
    content.buttonsResponseMessage?.selectedDisplayText,
    content.templateButtonReplyMessage?.selectedDisplayText,
    content.listResponseMessage?.title,
    interactiveResponseMessage?.body?.text,
    content.buttonsMessage?.contentText,
    (templateMessage?.hydratedTemplate ?? templateMessage?.hydratedFourRowTemplate)?.hydratedContentText,
    interactiveMessage?.body?.text,
    listMessage?.description ?? listMessage?.title,
    content.highlyStructuredMessage?.hydratedHsm?.hydratedTemplate?.hydratedContentText,
  ];
  return cleanText(candidates.find((text) => text) ?? '');
}

function readUnsupported(content: proto.IMessage): IncomingContent | undefined {
  const names = Object.entries(content).flatMap(([name, value]) => (value === null ? [] : [name]));
  const protocolType = names.find((name) => !housekeeping.has(name));
  if (protocolType !== undefined) return { type: 'unsupported', text: titleOf(content), protocolType };
  const isUnknown = names.every((name) => name === 'messageContextInfo');
  return isUnknown ? { type: 'unsupported', text: '', protocolType: 'unknown' } : undefined;
}

/** The text that a person would read first. */
function titleOf(content: proto.IMessage): string {
  const title =
    content.eventMessage?.name ?? content.productMessage?.product?.title ?? content.groupInviteMessage?.groupName;
  return cleanText(title ?? '');
}
