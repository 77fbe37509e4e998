import { deflateSync } from 'node:zlib';
import { encodeWAMessage, proto, unpadRandomMax16 } from 'baileys';

/**
 * Takes the history out of a message of the handset's and leaves an empty one in its place: Baileys goes on as after any
 * other, and does not read tens of megabytes where everybody else waits. Undefined for every other message.
 */
export function takeHistory(
  plaintext: Uint8Array,
): { shared: proto.Message.IHistorySyncNotification; rest: Uint8Array } | undefined {
  const message = proto.Message.decode(unpadRandomMax16(plaintext));
  const shared = message.protocolMessage?.historySyncNotification;
  if (!shared) return undefined;
  const { syncType, chunkOrder, progress, peerDataRequestSessionId } = shared;
  const { INITIAL_BOOTSTRAP: emptyType } = proto.HistorySync.HistorySyncType;
  const empty = proto.HistorySync.encode({ syncType: emptyType, conversations: [] }).finish();
  const notification = {
    ...(syncType !== null && syncType !== undefined && { syncType }),
    ...(chunkOrder && { chunkOrder }),
    ...(progress && { progress }),
    ...(peerDataRequestSessionId && { peerDataRequestSessionId }),
    initialHistBootstrapInlinePayload: deflateSync(empty),
  };
  const type = proto.Message.ProtocolMessage.Type.HISTORY_SYNC_NOTIFICATION;
  const rest = encodeWAMessage({ protocolMessage: { type, historySyncNotification: notification } });
  return { shared, rest };
}
