/** Messages that the server keeps from linked devices: the handset has them, and sends them when it is asked. */
import { proto } from 'baileys';
import type { Account, LinkedDevice } from './account.ts';
import { nowSeconds } from './nodes.ts';
import { sendToOwnDevice } from './session.ts';

/** The handset sends a device what it asks for, of what the server kept from the device. Answers with the ids asked for. */
export async function answerResendRequest(
  owner: Account,
  device: LinkedDevice,
  request: proto.IMessage,
): Promise<string[]> {
  const asked = request.protocolMessage?.peerDataOperationRequestMessage?.placeholderMessageResendRequest ?? [];
  const results = asked.flatMap(({ messageKey }) => {
    const kept = owner.keptByHandset.get(messageKey?.id ?? '');
    if (!kept || !messageKey) return [];
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
