import { normalizeMessageContent, proto } from 'baileys';
import type { Expiration } from '../chat-book.ts';

const { EPHEMERAL_SETTING } = proto.Message.ProtocolMessage.Type;

/** No client offers more than 90 days; what is absurd is not sent on. */
const maxSeconds = 366 * 24 * 60 * 60;

/**
 * Reads how long messages of a conversation last, from the setting itself or from a message of such a conversation.
 * Undefined where it says nothing, as a plain text does not.
 */
export function readExpiration(message: proto.IMessage, sentAt: number): Expiration | undefined {
  const { protocolMessage, ...content } = { ...normalizeMessageContent(message) };
  if (protocolMessage) {
    if (protocolMessage.type !== EPHEMERAL_SETTING) return undefined;
    const setAt = Number(protocolMessage.ephemeralSettingTimestamp ?? sentAt);
    return bounded(protocolMessage.ephemeralExpiration ?? 0, setAt > 0 ? setAt : sentAt);
  }
  for (const part of Object.values(content)) {
    const info = (part as { contextInfo?: proto.IContextInfo | null } | null)?.contextInfo;
    if (!info?.expiration) continue;
    const setAt = Number(info.ephemeralSettingTimestamp ?? 0);
    return bounded(info.expiration, setAt > 0 ? setAt : sentAt);
  }
  return undefined;
}

function bounded(seconds: number, setAt: number): Expiration | undefined {
  if (!Number.isSafeInteger(seconds) || seconds < 0 || seconds > maxSeconds || !Number.isSafeInteger(setAt))
    return undefined;
  return { seconds, setAt };
}
