/** Whether what a device sends has the shape that the official client gives it: servers drop what has not. */
import { proto } from 'baileys';
import { child, parseAddress } from './nodes.ts';
import type { BinaryNode } from './nodes.ts';

const { REVOKE, MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type;

/** The fault in the shape of a message for its content; undefined where it is right. */
export function wrongShape({ attrs, ...sent }: BinaryNode, message: proto.IMessage): string | undefined {
  const change = message.protocolMessage;
  const poll = message.pollCreationMessage ?? message.pollCreationMessageV3;
  const edit = change?.type === MESSAGE_EDIT ? '1' : change?.type === REVOKE && change.key?.id ? '7' : undefined;
  if (attrs.edit !== edit) return `edit=${attrs.edit} in place of ${edit}`;
  if (change && change.key?.fromMe !== true && edit !== undefined) return 'a change of a message that is not its own';
  const pollType = child({ attrs, ...sent }, 'meta')?.attrs.polltype;
  if (pollType !== (poll ? 'creation' : undefined)) return `polltype=${pollType}`;
  if (poll && attrs.type !== 'poll') return `a poll of type ${attrs.type}`;
  if (message.requestPhoneNumberMessage && parseAddress(attrs.to ?? '').domain !== 'lid')
    return 'a request for a number that is known';
  const { title, matchedText, text } = message.extendedTextMessage ?? {};
  if (title && !(matchedText && text?.includes(matchedText))) return 'a preview of no link in the text';
  const hasSecret = message.messageContextInfo?.messageSecret?.length === 32;
  const isChange = change !== undefined && change !== null;
  if (!hasSecret && !isChange && !message.reactionMessage) return 'a message without a secret';
  return undefined;
}
