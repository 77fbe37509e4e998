/** A device's time online: login, what it is told once active, and the ways it is thrown out. */
import { deflateSync } from 'node:zlib';
import { proto } from 'baileys';
import type { Account, Directory, LinkedDevice } from './account.ts';
import type { Connection } from './connection.ts';
import type { CloseKind, Faults } from './faults.ts';
import { shareChats, shareHistory } from './history.ts';
import type { Files } from './history.ts';
import { beginQueue, deliver } from './mailbox.ts';
import { newId, node, nowSeconds, server } from './nodes.ts';
import type { BinaryNode } from './nodes.ts';

const protocolType = proto.Message.ProtocolMessage.Type;
const historyType = proto.HistorySync.HistorySyncType;
const exampleRoutingInfo = Buffer.from('0802', 'hex');

/** Lets a known device in and ends its earlier connection, or says why not. Answers whether it had one. */
export function logIn(
  directory: Directory,
  faults: Faults,
  connection: Connection,
  login: proto.ClientPayload,
): boolean {
  const account = directory.account(String(login.username));
  const device = account.devices.get(login.device ?? 0);
  const isKnown = device && !device.isRemoved && device.noiseKey.equals(connection.clientStaticKey);
  if (!faults.answersLogins) return false;
  const lockSeconds = secondsOfLock(account);
  if (lockSeconds > 0) return refuse(connection, 402, { expire: `${lockSeconds}`, code: `${account.lock?.code}` });
  if (account.loginFailure !== undefined) return refuse(connection, account.loginFailure);
  if (!isKnown) return refuse(connection, 401);
  const isTakenOver = device.connection?.isClosing === false;
  if (device.connection) closeConnection(device.connection, 'replaced');
  device.isAvailable = false;
  device.watched.clear();
  connection.login = { account, device };
  device.connection = connection;
  const lid = faults.tellsLids ? { lid: `${account.lid}:${device.number}@lid` } : {};
  connection.send(node('success', { t: `${nowSeconds()}`, props: '27', location: 'cln', abprops: '1', ...lid }));
  return isTakenOver;
}

function secondsOfLock({ lock }: Account): number {
  if (!lock) return 0;
  lock.endsAtMs ??= Date.now() + lock.seconds * 1000;
  return Math.ceil((lock.endsAtMs - Date.now()) / 1000);
}

function refuse(connection: Connection, code: number, more: Record<string, string> = {}): false {
  connection.send(node('failure', { reason: `${code}`, location: 'cln', ...more }));
  connection.close();
  return false;
}

/** The device is ready: routing information, what waited for it, and after linking the handset's first messages. */
export async function activate(faults: Faults, connection: Connection, files: Files): Promise<void> {
  if (!connection.login || connection.isActive) return;
  connection.isActive = true;
  const { account, device } = connection.login;
  tell(connection, node('edge_routing', {}, [node('routing_info', {}, exampleRoutingInfo)]));
  tell(connection, node('dirty', { type: 'account_sync', timestamp: `${nowSeconds()}` }));
  const { promise: handedOver, resolve } = Promise.withResolvers<void>();
  const count = `${beginQueue(device, resolve)}`;
  tell(connection, node('offline_preview', { count, message: count, notification: '0', receipt: '0', appdata: '0' }));
  await handedOver;
  tell(connection, node('offline', { count }));
  if (!device.isNew || !faults.sharesHistory) return;
  device.isNew = false;
  for (const message of firstMessagesFor(account, device)) await sendToOwnDevice(account, device, message);
  for (const [index, chats] of account.sharedChats.entries()) {
    const progress = Math.round(((index + 1) / account.sharedChats.length) * 100);
    await sendChats(account, device, await shareChats(chats, progress, files));
  }
  if (!faults.history) return;
  await sendChats(account, device, await shareHistory(faults.history, files));
}

/** A piece of what the handset shares. */
export function sendChats(
  account: Account,
  device: LinkedDevice,
  shared: proto.Message.IHistorySyncNotification,
): Promise<void> {
  const message = { type: protocolType.HISTORY_SYNC_NOTIFICATION, historySyncNotification: shared };
  return sendToOwnDevice(account, device, { protocolMessage: message });
}

function tell(connection: Connection, content: BinaryNode): void {
  connection.send(node('ib', { from: server }, [content]));
}

/** A key for the app's state, then an empty history: the client stops waiting for either. */
function firstMessagesFor(account: Account, device: LinkedDevice): proto.IMessage[] {
  const fingerprint = { rawId: 1, currentIndex: 0, deviceIndexes: [0, device.number] };
  const keyData = { keyData: account.appState.key.data, fingerprint, timestamp: nowSeconds() };
  const keys = [{ keyId: { keyId: account.appState.key.id }, keyData }];
  return [
    { protocolMessage: { type: protocolType.APP_STATE_SYNC_KEY_SHARE, appStateSyncKeyShare: { keys } } },
    historyChunk(historyType.INITIAL_BOOTSTRAP, account.nctSalt),
    historyChunk(historyType.RECENT),
  ];
}

/** `nctSalt` is field 19, which the client's own protocol does not know. */
function historyChunk(syncType: proto.HistorySync.HistorySyncType, nctSalt = Buffer.alloc(0)): proto.IMessage {
  const known = proto.HistorySync.encode({ syncType, conversations: [], progress: 100 }).finish();
  const history = Buffer.concat([known, Buffer.from([0x9a, 0x01, nctSalt.length]), nctSalt]);
  return {
    protocolMessage: {
      type: protocolType.HISTORY_SYNC_NOTIFICATION,
      historySyncNotification: {
        syncType,
        chunkOrder: 1,
        progress: 100,
        initialHistBootstrapInlinePayload: deflateSync(history),
      },
    },
  };
}

export async function sendToOwnDevice(account: Account, device: LinkedDevice, message: proto.IMessage): Promise<void> {
  const enc = await encryptFor(account, account, device, message);
  const from = `${account.number}@${server}`;
  const attrs = { from, type: 'text', category: 'peer', id: newId('PEER'), t: `${nowSeconds()}`, notify: account.name };
  deliver(device, node('message', attrs, [enc]));
}

/** Begins a conversation with keys that the device published; what is under way in the one before can still be read. */
export function startAnew(sender: Account, owner: Account, device: LinkedDevice): Promise<void> {
  const preKey = device.preKeys.shift();
  tellOfPreKeys(device);
  return sender.party.startSession(owner.number, device.number, { ...device.keys, preKey });
}

const fewPreKeys = 10;

/** Once few of the keys are left with which conversations begin, the device is told so, until it has uploaded others. */
export function tellOfPreKeys(device: LinkedDevice): void {
  if (device.preKeys.length >= fewPreKeys || device.isToldOfPreKeys) return;
  device.isToldOfPreKeys = true;
  const attrs = { from: server, type: 'encrypt', id: newId('N'), t: `${nowSeconds()}` };
  deliver(device, node('notification', attrs, [node('count', { value: `${device.preKeys.length}` })]));
}

/** Encrypts with the sender's keys for one linked device, starting the conversation where there is none. */
export async function encryptFor(
  sender: Account,
  owner: Account,
  device: LinkedDevice,
  message: proto.IMessage,
): Promise<BinaryNode> {
  if (!sender.party.hasSession(owner.number, device.number)) await startAnew(sender, owner, device);
  const { kind, ciphertext } = await sender.party.encrypt(owner.number, device.number, message);
  return node('enc', { v: '2', type: kind }, ciphertext);
}

export function closeConnection(connection: Connection, kind: CloseKind | 'device_removed'): void {
  if (kind === 'drop') return connection.terminate();
  const goodbye = goodbyes[kind];
  if (goodbye) connection.send(goodbye);
  connection.close();
}

const goodbyes: Record<Exclude<CloseKind | 'device_removed', 'drop'>, BinaryNode | undefined> = {
  device_removed: node('stream:error', { code: '401' }, [node('conflict', { type: 'device_removed' })]),
  replaced: node('stream:error', {}, [node('conflict', { type: 'replaced' })]),
  stream_500: node('stream:error', { code: '500' }),
  stream_503: node('stream:error', { code: '503' }),
  stream_515: node('stream:error', { code: '515' }),
  stream_ack: node('stream:error', {}, [node('ack', { class: 'message', id: 'ABC' })]),
  malformed: node('stream:error', {}, [node('xml-not-well-formed')]),
  stream_end: node('xmlstreamend'),
  downgrade: node('ib', { from: server }, [node('downgrade_webclient')]),
  failure_402: node('failure', { reason: '402', location: 'cln' }),
  failure_403: node('failure', { reason: '403', location: 'cln' }),
  failure_405: node('failure', { reason: '405', location: 'cln' }),
  failure_406: node('failure', { reason: '406', location: 'cln' }),
  failure_409: node('failure', { reason: '409', location: 'cln' }),
  failure_418: node('failure', { reason: '418', location: 'cln' }),
  failure_503: node('failure', { reason: '503', location: 'cln' }),
  close: undefined,
};
