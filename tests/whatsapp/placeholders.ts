/** Messages that a linked device lacks: the handset has them, and sends them when it is asked. */
import { proto } from 'baileys';
import type { Account, LinkedDevice } from './account.ts';
import { nowSeconds } from './nodes.ts';
import { sendToOwnDevice } from './session.ts';

/** The handset sends a device what it asks for. Answers with the ids asked for. */
export async function answerResendRequest(
  owner: Account,
  device: LinkedDevice,
  request: proto.IMessage,
): Promise<string[]> {
  const asked = request.protocolMessage?.peerDataOperationRequestMessage?.placeholderMessageResendRequest ?? [];
  const results = asked.flatMap(({ messageKey }) => {
    if (!messageKey) return [];
    const kept = messageOfHandset(owner, device, messageKey.id ?? '');
    if (!kept) return [];
    const info = { key: messageKey, message: kept.message, messageTimestamp: nowSeconds(), pushName: kept.from.name };
    const webMessageInfoBytes = proto.WebMessageInfo.encode(info).finish();
    return [{ placeholderMessageResendResponse: { webMessageInfoBytes } }];
  });
  const ids = asked.flatMap(({ messageKey }) => messageKey?.id ?? []);
  if (results.length === 0) return ids;
  const type = proto.Message.ProtocolMessage.Type.PEER_DATA_OPERATION_REQUEST_RESPONSE_MESSAGE;
  const peerDataOperationRequestResponseMessage = { peerDataOperationResult: results };
  await sendToOwnDevice(owner, device, { protocolMessage: { type, peerDataOperationRequestResponseMessage } });
  return ids;
}

/** The handset has what the server kept from the device, and what the device could not decrypt. */
function messageOfHandset(
  owner: Account,
  device: LinkedDevice,
  id: string,
): { from: Account; message: proto.IMessage } | undefined {
  const sent = device.sentToIt.get(id);
  const message = sent?.message.deviceSentMessage?.message ?? sent?.message;
  return owner.keptByHandset.get(id) ?? (sent && message && { from: sent.sender, message });
}
