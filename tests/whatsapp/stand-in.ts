/**
 * A stand-in for WhatsApp's servers, the handsets and the contacts, down to the protocol: an unmodified client links,
 * logs in, encrypts and decrypts against it for real. Nothing here is the product's code.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { proto } from 'baileys';
import { Directory } from './account.ts';
import type { Account, ContactBehaviour, LinkedDevice, NewChatCap } from './account.ts';
import { takeRejection, tellOfCall } from './calls.ts';
import type { CallNews } from './calls.ts';
import { makeCertificateChain } from './certificates.ts';
import type { CertificateFlaw } from './certificates.ts';
import { Connection } from './connection.ts';
import { addCompanion, removeCompanion } from './companions.ts';
import type { Companion } from './companions.ts';
import { generateKeyPair } from './crypto.ts';
import { AnswerRules, noFaults } from './faults.ts';
import type { AnswerRule, CloseKind, Faults } from './faults.ts';
import { shareChats } from './history.ts';
import type { Files, KeptChat } from './history.ts';
import { answerIq } from './iq-answers.ts';
import { confirm, deliver, handOver } from './mailbox.ts';
import { sendAgain, sendFromHandset, sendIncoming, sendToMany, sendUnavailable } from './incoming.ts';
import type { IncomingText, ManyChat } from './incoming.ts';
import { MediaServers } from './media.ts';
import type { DownloadFault, MediaKind } from './media.ts';
import { askAgain, sendReceipt, takeMessage } from './messages.ts';
import type { MessageCounts } from './messages.ts';
import { child, newId, node, nowSeconds, server } from './nodes.ts';
import type { BinaryNode } from './nodes.ts';
import { showOnline, takePresence, takeRead, takeTyping, typeTo } from './presence.ts';
import { Pairing } from './pairing.ts';
import type { LinkResult, ScanOptions } from './pairing.ts';
import { sealedEdit, sealedVote } from './sealed.ts';
import { activate, closeConnection, logIn, sendChats, startAnew, tellOfPreKeys } from './session.ts';
import { strangeShape } from './stanza-shapes.ts';
import { ServerWebSocket } from './websocket.ts';

const addressOf = ({ number, lid }: Account, kind: 'pn' | 'lid') =>
  kind === 'lid' ? `${lid}@lid` : `${number}@${server}`;

export type IncomingMedia = Omit<IncomingText, 'text' | 'message'> & {
  bytes: Buffer;
  type?: MediaKind;
  /** The fault of this file alone. */
  fault?: DownloadFault;
  change?: proto.Message.IImageMessage & proto.Message.IDocumentMessage & proto.Message.IAudioMessage;
  wrap?: (message: proto.IMessage) => proto.IMessage;
};

export type StandInOptions = {
  certificateFlaw?: CertificateFlaw;
  port?: number;
  /** The clock by which a lock on new chats ends, milliseconds; the system's when left out. */
  now?: () => number;
};

export type Stats = MessageCounts & {
  connections: number;
  logins: number;
  /** Logins of devices that were still connected. */
  takeovers: number;
  unknownRequests: Record<string, number>;
  /** The errors with which clients refused what they were sent. */
  refusals: string[];
  /** How often a client asked a contact for a message again, and for which. */
  askedAgain: number;
  idsAskedAgain: string[];
  tokensIssued: number;
  /** Questions whether numbers are on WhatsApp, and how many numbers they named. */
  lookUps: { questions: number; numbers: number };
  /** Questions that were answered with an error. */
  refusedQuestions: number;
  /** WebSockets that were refused over HTTP. */
  refusedUpgrades: number;
  /** Stanzas from clients about reading, typing and being online that make no sense. */
  wrongPresence: string[];
  /** The ids of calls that devices rejected. */
  rejectedCalls: string[];
};

export class WhatsAppStandIn {
  /** Change these at any time. */
  readonly faults: Faults = { ...noFaults };
  readonly http: Server;
  /** The servers that keep media; change their faults at any time. */
  readonly media = new MediaServers();
  readonly #directory = new Directory();
  readonly #rules = new AnswerRules();
  readonly #pairing = new Pairing(this.faults);
  readonly #connections = new Set<Connection>();
  readonly #staticKey = generateKeyPair();
  readonly #certificateChain: Buffer;
  readonly #counts: MessageCounts = {
    taken: 0,
    decrypted: 0,
    undecryptable: 0,
    lastProblem: undefined,
    askedOfHandset: [],
    wrongShapes: [],
  };
  readonly #unknownRequests: Record<string, number> = {};
  readonly #refusals: string[] = [];
  #logins = 0;
  #takeovers = 0;
  #askedAgain = 0;
  readonly #idsAskedAgain = new Set<string>();
  #tokensIssued = 0;
  #refusedUpgrades = 0;
  readonly #wrongPresence: string[] = [];
  readonly #rejectedCalls: string[] = [];
  readonly #files: Files = new Map();
  #refusedQuestions = 0;
  readonly #lookUps = { questions: 0, numbers: 0 };
  #port = 0;
  readonly #now: () => number;

  /** Listens on a free loopback port (or the one given). */
  static async listen(options: StandInOptions = {}): Promise<WhatsAppStandIn> {
    const standIn = new WhatsAppStandIn(options);
    await new Promise<void>((resolve) => standIn.http.listen(options.port ?? 0, '127.0.0.1', resolve));
    standIn.#port = (standIn.http.address() as AddressInfo).port;
    return standIn;
  }

  private constructor(options: StandInOptions) {
    this.#now = options.now ?? Date.now;
    this.#certificateChain = makeCertificateChain(this.#staticKey.publicKey, options.certificateFlaw);
    this.http = createServer((request, response) => this.answerHttp(request, response));
    this.http.on('upgrade', (request, stream) => {
      const { refuseUpgrades: status } = this.faults;
      if (status === undefined) return this.#accept(new ServerWebSocket(request, stream));
      this.#refusedUpgrades += 1;
      // The client may be gone before it reads the refusal.
      stream.on('error', () => stream.destroy());
      stream.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
    });
  }

  /** Files that were shared. */
  answerHttp(request: IncomingMessage, response: ServerResponse): void {
    if (this.media.answer(request, response)) return;
    const pictured = request.url?.startsWith('/photo/')
      ? this.#directory.account(request.url.slice(7)).photo
      : undefined;
    const file = pictured ?? this.#files.get(request.url ?? '');
    if (file && !pictured && this.faults.refusesHistories) return void response.writeHead(503).end();
    response.writeHead(file ? 200 : 404).end(file);
  }

  /** Where clients connect. */
  get url(): string {
    return `ws://127.0.0.1:${this.#port}/ws/chat`;
  }

  async close(): Promise<void> {
    for (const connection of this.#connections) connection.terminate();
    this.http.closeAllConnections();
    await new Promise((resolve) => this.http.close(resolve));
  }

  /** Somebody on WhatsApp; `behaviour` changes how their phone behaves from now on. */
  contact(number: string, behaviour: Partial<ContactBehaviour> = {}): Account {
    const account = this.#directory.account(number);
    Object.assign(account.behaviour, behaviour);
    return account;
  }

  /** The account's owner scans a QR code. Rejects when the code is unknown, expired or forged. */
  scan(qr: string, number: string, options: ScanOptions = {}): Promise<LinkResult> {
    return this.#pairing.scan(qr, this.#directory.account(number), options);
  }

  /** The account's owner types the pairing code on the handset. Rejects when it is wrong. */
  enterCode(number: string, code: string, options: ScanOptions = {}): Promise<LinkResult> {
    return this.#pairing.enterCode(this.#directory.account(number), code, options);
  }

  /** Instead of linking the device that shows this QR code, WhatsApp asks it for a passkey. */
  demandPasskey(qr: string, type: 'passkey_prologue_request' | 'crsc_continuation' = 'passkey_prologue_request'): void {
    const attrs = { from: server, type, id: newId('N'), t: `${nowSeconds()}` };
    this.#pairing.connectionShowing(qr).send(node('notification', attrs, [node(type)]));
  }

  /** A contact writes to a linked account. Answers with the message's id. */
  incoming(incoming: IncomingText): Promise<string> {
    return sendIncoming(this.#directory, incoming);
  }

  /** A contact sends a file; `change` is what its message says of it. Answers with the message's id. */
  async incomingMedia({ bytes, type = 'image', change, wrap, fault, ...incoming }: IncomingMedia): Promise<string> {
    const { fields, shared } = await this.media.share(bytes, type, fault);
    const part = { mimetype: 'image/jpeg', ...fields, ...change };
    const message = { [`${type}Message`]: part };
    const id = incoming.id ?? newId('3EB0');
    this.media.remember(id, shared);
    return this.incoming({ ...incoming, id, text: '', message: wrap ? wrap(message) : message });
  }

  /** The account's owner writes on the handset; `spoilt` as for `incoming`. Answers with the message's id. */
  fromHandset(owner: string, to: string, message: proto.IMessage, spoilt = false): Promise<string> {
    return sendFromHandset(this.#directory, { owner, to, message, spoilt });
  }

  /** The handset shares conversations with a device that it linked before: all that there is of them. */
  async shareChats(number: string, chats: readonly KeptChat[]): Promise<void> {
    const shared = await shareChats(chats, 100, this.#files);
    await sendChats(this.#directory.account(number), this.#deviceOf(number), shared);
  }

  /**
   * A contact changes the wording of a message of theirs, sealed as handsets do since May 2026. `as`: the kind of address
   * that the sender's phone takes for itself.
   */
  edit(change: { from: string; to: string; id: string; text: string; as?: 'pn' | 'lid' }): Promise<string> {
    const { from, to, id, text, as = 'pn' } = change;
    const sent = this.#deviceOf(to).sentToIt.get(id)?.message;
    const secret = sent?.messageContextInfo?.messageSecret;
    if (!secret) throw new Error(`${from} sent no message ${id}`);
    const author = addressOf(this.#directory.account(from), as);
    const key = { id, fromMe: true, remoteJid: addressOf(this.#directory.account(to), as) };
    const message = sealedEdit({ id, secret, author, sender: author }, key, { conversation: text });
    return this.incoming({ from, to, text: '', message });
  }

  /** A contact votes in a poll: of a linked account where it arrived from there, else of the contact's own. */
  vote(vote: { from: string; to: string; id: string; options: string[]; as?: 'pn' | 'lid' }): Promise<string> {
    const { from, to, id, options, as = 'pn' } = vote;
    const [voter, owner] = [this.#directory.account(from), this.#directory.account(to)];
    const arrived = voter.arrivals.find((arrival) => arrival.id === id)?.message;
    const made = this.#deviceOf(to).sentToIt.get(id)?.message;
    const secret = (arrived ?? made)?.messageContextInfo?.messageSecret;
    if (!secret) throw new Error(`${from} has no poll ${id}`);
    const author = addressOf(arrived ? owner : voter, as);
    const key = { id, fromMe: !arrived, remoteJid: addressOf(owner, as) };
    const sealing = { id, secret, author, sender: addressOf(voter, as) };
    return this.incoming({ from, to, text: '', message: sealedVote(sealing, key, options) });
  }

  /** A step of a call to a linked account. */
  call(news: CallNews): void {
    tellOfCall(this.#directory, news);
  }

  /** A contact's phone starts its conversation with a linked account anew, as after it was asked for a message again. */
  startAnew(from: string, to: string): Promise<void> {
    return startAnew(this.#directory.account(from), this.#directory.account(to), this.#deviceOf(to));
  }

  /** Somebody writes in a chat of many that the account is part of. */
  toMany(from: string, to: string, chat: ManyChat): string {
    return sendToMany(this.#directory, { from, to, chat });
  }

  /** A message that linked devices are not given, such as a picture to be seen once; `message`: the handset sends it when asked. */
  unavailable(from: string, to: string, kind: string, message?: proto.IMessage): string {
    return sendUnavailable(this.#directory, { from, to, kind, message });
  }

  /** Sends by hand the receipt that a contact held back. */
  sendReceipt(from: string, to: string, id: string, kind: 'delivered' | 'read'): void {
    sendReceipt(this.#directory.account(from), this.#deviceOf(to), id, kind);
  }

  /** A contact types, or stops. Answers whether the linked device was told: only one that is online and asked is. */
  typing(from: string, to: string, isTyping: boolean): boolean {
    return typeTo(this.#directory.account(from), this.#deviceOf(to), isTyping);
  }

  /** A contact comes online, or goes. Answers as `typing`. */
  online(from: string, to: string, online: { isOnline: boolean; lastSeen?: Date }): boolean {
    return showOnline(this.#directory.account(from), this.#deviceOf(to), online);
  }

  /** Somebody, or the owner of a linked account, uses a further device. Unless `isTold` is false, phones are told of it. */
  addCompanion(number: string, isTold = true): Companion {
    return addCompanion(this.#directory, this.#directory.account(number), isTold);
  }

  removeCompanion(number: string, device: number, isTold = true): void {
    removeCompanion(this.#directory, this.#directory.account(number), device, isTold);
  }

  /** Somebody asks a linked account for the message with this id, theirs or not. */
  askAgain(from: string, to: string, id: string): void {
    askAgain(this.#directory.account(from), this.#deviceOf(to), id);
  }

  /** Decides how messages are answered from now on; the newest rule that fits wins. */
  answerMessages(rule: AnswerRule): void {
    this.#rules.add(rule);
  }

  answerMessagesNormally(): void {
    this.#rules.clear();
  }

  /** Ends the account's connection this way. */
  kick(number: string, kind: CloseKind): void {
    const { connection } = this.#deviceOf(number);
    if (!connection) throw new Error(`${number} is not connected`);
    closeConnection(connection, kind);
  }

  /** Bans the account: out now, and refused at every login. */
  ban(number: string): void {
    this.refuseLogins(number, 403);
    if (this.isConnected(number)) this.kick(number, 'failure_403');
  }

  /**
   * Locks the account for the reason with this code (101: wrote to too many people). The seconds begin at the first login
   * that is refused, so that a client on a slow machine meets the lock too.
   */
  lockFor(number: string, seconds: number, code: number): void {
    const account = this.#directory.account(number);
    account.lock = { seconds, code };
    if (this.isConnected(number)) this.kick(number, 'close');
  }

  /** How often the account asked whether new chats are locked. */
  timeLockAsks(number: string): number {
    return this.#directory.account(number).timeLockAsks;
  }

  /** Locks the account's new chats until then: messages that begin one are refused with 463. `undefined` unlocks them. */
  lockNewChats(number: string, until: Date | undefined): void {
    this.#directory.account(number).newChatsLockedUntil = until;
  }

  /** The same, pushed to the account's device: that new chats are locked, or no longer, or that the cap has changed. */
  pushStanding(number: string, what: 'lock' | 'cap'): void {
    const { newChatsLockedUntil: until } = this.#directory.account(number);
    const [operation, data] =
      what === 'cap'
        ? ['MessageCappingInfoNotification', { xwa2_notify_new_chat_messages_capping_info_update: {} }]
        : [
            'NotificationUserReachoutTimelockUpdate',
            {
              xwa2_notify_account_reachout_timelock: {
                is_active: until !== undefined,
                ...(until && { time_enforcement_ends: `${Math.floor(until.getTime() / 1000)}` }),
              },
            },
          ];
    const attrs = { from: server, type: 'mex', id: newId('N'), t: `${nowSeconds()}` };
    const update = node('update', { op_name: operation }, Buffer.from(JSON.stringify({ data })));
    deliver(this.#deviceOf(number), node('notification', attrs, [update]));
  }

  /** The cap on new chats, and how much of it the account has used: what begins one beyond it is refused with 475. */
  capNewChats(number: string, cap: NewChatCap | undefined): void {
    this.#directory.account(number).newChatCap = cap;
  }

  /** Leaves the device so few of its keys with which conversations begin; unless `isTold` is false, it is told. */
  leavePreKeys(number: string, left: number, isTold = true): void {
    const device = this.#deviceOf(number);
    device.preKeys.splice(0, Math.max(0, device.preKeys.length - left));
    if (isTold) tellOfPreKeys(device);
  }

  /** Refuses the account's logins with this failure code; `undefined` lets it in again. */
  refuseLogins(number: string, code: number | undefined): void {
    this.#directory.account(number).loginFailure = code;
  }

  /** The owner removes the linked device on the handset. */
  removeDevice(number: string): void {
    const device = this.#deviceOf(number);
    device.isRemoved = true;
    if (device.connection) closeConnection(device.connection, 'device_removed');
  }

  isConnected(number: string): boolean {
    return this.#directory.account(number).device?.connection?.isClosing === false;
  }

  stats(): Stats {
    return {
      ...this.#counts,
      connections: this.#connections.size,
      logins: this.#logins,
      takeovers: this.#takeovers,
      unknownRequests: { ...this.#unknownRequests },
      refusals: [...this.#refusals],
      askedAgain: this.#askedAgain,
      idsAskedAgain: [...this.#idsAskedAgain],
      tokensIssued: this.#tokensIssued,
      refusedUpgrades: this.#refusedUpgrades,
      wrongPresence: [...this.#wrongPresence],
      rejectedCalls: [...this.#rejectedCalls],
      lookUps: { ...this.#lookUps },
      refusedQuestions: this.#refusedQuestions,
    };
  }

  #accept(socket: ServerWebSocket): void {
    const connection = new Connection({
      socket,
      staticKey: this.#staticKey,
      certificateChain: this.#certificateChain,
      onLogin: (client, payload) => this.#login(client, payload),
      onNode: (client, received) => this.#receive(client, received),
      onError: (error) => this.#note(error),
    });
    this.#connections.add(connection);
    socket.onClose = () => this.#forget(connection);
  }

  #login(connection: Connection, payload: proto.ClientPayload): void {
    if (payload.devicePairingData) return this.#pairing.register(connection, payload.devicePairingData);
    this.#logins += 1;
    if (logIn(this.#directory, this.faults, connection, payload)) this.#takeovers += 1;
  }

  #receive(connection: Connection, received: BinaryNode): Promise<void> | void {
    const strange = strangeShape(received);
    if (strange !== undefined) this.#counts.wrongShapes.push(strange);
    switch (received.tag) {
      case 'iq':
        if (received.attrs.type === 'result' || received.attrs.type === 'error') return;
        return this.#later(() => answerIq(this.#iqContext, connection, received));
      case 'message':
        return takeMessage(this.#messageContext, connection, received);
      case 'receipt': {
        const { id = '', to = '', type } = received.attrs;
        connection.send(node('ack', { class: 'receipt', id, from: to, ...(type ? { type } : {}) }));
        const { login } = connection;
        if (!login) return;
        if (!this.faults.losesConfirmations) confirm(login.device, received);
        if (type === 'read' || type === 'read-self') return this.#judge(takeRead(login, received));
        if (type === 'server-error') return this.#answerAgain(connection, received);
        if (type !== 'retry') return;
        this.#askedAgain += 1;
        this.#idsAskedAgain.add(id);
        return sendAgain(login.account, login.device, received);
      }
      case 'call': {
        const { id = '', to = '' } = received.attrs;
        this.#judge(takeRejection(received));
        this.#rejectedCalls.push(child(received, 'reject')?.attrs['call-id'] ?? '');
        return connection.send(node('ack', { class: 'call', id, from: to }));
      }
      case 'presence':
        return this.#judge(connection.login && takePresence(this.#directory, connection.login, received));
      case 'chatstate':
        return this.#judge(connection.login && takeTyping(this.#directory, connection.login, received));
      case 'ack':
        if (received.attrs.error !== undefined) this.#refusals.push(received.attrs.error);
        if (connection.login && !this.faults.losesConfirmations) confirm(connection.login.device, received);
        return;
      case 'ib': {
        const batch = child(received, 'offline_batch');
        if (batch && connection.login) handOver(connection.login.device, Number(batch.attrs.count));
      }
    }
  }

  #judge(wrong: string | undefined): void {
    if (wrong !== undefined) this.#wrongPresence.push(wrong);
  }

  async #answerAgain(connection: Connection, receipt: BinaryNode): Promise<void> {
    const answer = await this.media.answerAgain(receipt, receipt.attrs.to ?? '');
    if (answer) connection.send(answer);
  }

  readonly #iqContext = {
    directory: this.#directory,
    pairing: this.#pairing,
    faults: this.faults,
    onActive: (connection: Connection) => {
      activate(this.faults, connection, this.#files).catch((error: unknown) => this.#note(error));
    },
    photoUrl: (number: string) => `http://127.0.0.1:${this.#port}/photo/${number}`,
    mediaConnection: () => this.media.answerConnection(this.#port),
    onTokenIssued: () => void (this.#tokensIssued += 1),
    onRefused: () => void (this.#refusedQuestions += 1),
    onLookUp: (numbers: number) => {
      this.#lookUps.questions += 1;
      this.#lookUps.numbers += numbers;
    },
    onUnknown: (what: string) => void (this.#unknownRequests[what] = (this.#unknownRequests[what] ?? 0) + 1),
  };

  readonly #messageContext = {
    directory: this.#directory,
    rules: this.#rules,
    counts: this.#counts,
    now: () => this.#now(),
    later: (work: () => void) => this.#later(work),
  };

  #later(work: () => void): void {
    if (this.faults.latencyMs > 0) setTimeout(work, this.faults.latencyMs);
    else work();
  }

  #note(problem: unknown): void {
    this.#counts.lastProblem = String(problem);
  }

  #forget(connection: Connection): void {
    this.#connections.delete(connection);
    this.#pairing.forget(connection);
    const device = connection.login?.device;
    if (device?.connection === connection) device.connection = undefined;
  }

  #deviceOf(number: string): LinkedDevice {
    const { device } = this.#directory.account(number);
    if (!device) throw new Error(`${number} has no linked device`);
    return device;
  }
}
