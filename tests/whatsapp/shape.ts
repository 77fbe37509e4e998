/** Whether what a device sends has the shape that the official client gives it: servers drop what has not. */
import { proto } from 'baileys';
import { child, children, parseAddress } from './nodes.ts';
import type { BinaryNode } from './nodes.ts';

const { REVOKE, MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type;

/** The fault in the shape of a message for its content; undefined where it is right. */
export function wrongShape({ attrs, ...sent }: BinaryNode, message: proto.IMessage): string | undefined {
  const change = message.protocolMessage;
  const poll = message.pollCreationMessage ?? message.pollCreationMessageV3;
  const isTakenBack = (change?.type === REVOKE && change.key?.id) || message.reactionMessage?.text === '';
  const edit = change?.type === MESSAGE_EDIT ? '1' : isTakenBack ? '7' : undefined;
  if (attrs.edit !== edit) return `edit=${attrs.edit} in place of ${edit}`;
  const kinds = Object.entries(message).filter(([name, part]) => part && name !== 'messageContextInfo');
  if (kinds.length !== 1) return `a message that is ${kinds.map(([name]) => name).join(' and ')}`;
  if (change && change.key?.fromMe !== true && edit !== undefined) return 'a change of a message that is not its own';
  const pollType = child({ attrs, ...sent }, 'meta')?.attrs.polltype;
  if (pollType !== (poll ? 'creation' : undefined)) return `polltype=${pollType}`;
  if (poll && attrs.type !== 'poll') return `a poll of type ${attrs.type}`;
  if (message.requestPhoneNumberMessage && parseAddress(attrs.to ?? '').domain !== 'lid')
    return 'a request for a number that is known';
  const { title, matchedText, text } = message.extendedTextMessage ?? {};
  const mediaType = children(child({ attrs, ...sent }, 'participants'), 'to').map(
    (to) => child(to, 'enc')?.attrs.mediatype,
  );
  if (title && attrs.device_fanout !== 'false' && !mediaType.every((type) => type === 'url'))
    return `a preview of mediatype=${mediaType.join()}`;
  if (title && !(matchedText && text?.includes(matchedText))) return 'a preview of no link in the text';
  const hasSecret = message.messageContextInfo?.messageSecret?.length === 32;
  const isChange = change !== undefined && change !== null;
  if (!hasSecret && !isChange && !message.reactionMessage) return 'a message without a secret';
  return undefined;
}
