import { jidDecode } from 'baileys';
import type { BinaryNode, ConnectionState } from 'baileys';
import type { Logger } from '#server/platform/logger.ts';
import type { OpenSession, OutgoingMessage, SendOutcome, Session, SessionState } from '../port.ts';
import { decideAfterClose, decideAfterStoreFailure } from './after-close.ts';
import type { AfterClose, SessionEnd } from './after-close.ts';
import { backoffDelayMs } from './backoff.ts';
import { isBoom } from './boom.ts';
import { isLinked, parseCredentials, rememberedVersion, rememberVersion } from './credentials.ts';
import { createDeviceCache } from './device-cache.ts';
import { openLiveSocket } from './live-socket.ts';
import type { LiveSocket } from './live-socket.ts';
import { Outbox } from './outbox.ts';
import { asksForPasskey, passkeyReason } from './passkey.ts';
import { qrExpiry } from './qr-expiry.ts';
import { createRecipients } from './recipients.ts';
import type { Recipients } from './recipients.ts';
import { removeDevice } from './remove-device.ts';
import { Renewable } from './renewable.ts';
import { createRetryCounts } from './retry-counts.ts';
import { isSameNumber } from './same-number.ts';
import type { SessionEnvironment } from './session-environment.ts';

/** How long a sign-out, and somebody who wants a pairing code, wait for the connection. */
const patienceMs = 5_000;

type Connection = {
  live: LiveSocket;
  recipients: Recipients;
  isOpen: boolean;
  qrCodes: number;
  pairingCode?: Promise<string>;
};

/** A phone's session: connects, reconnects, and says what becomes of it until it ends for good or is closed. */
export class WhatsAppSession implements Session {
  readonly #input: OpenSession;
  readonly #environment: SessionEnvironment;
  readonly #logger: Logger;
  readonly #outbox: Outbox;
  readonly #devices;
  readonly #retryCounts = createRetryCounts();
  #connection: Connection | undefined;
  /** A connection that is open, or shows a QR code. */
  readonly #ready = new Renewable<Connection>();
  #isOver = false;
  #attempts = 0;
  #refusals = 0;
  #timer: NodeJS.Timeout | undefined;
  #reconnectReason: string | undefined;

  constructor(input: OpenSession, environment: SessionEnvironment) {
    this.#input = input;
    this.#environment = environment;
    this.#logger = environment.logger.child({ phoneId: input.phoneId });
    this.#devices = createDeviceCache(environment.clock);
    this.#outbox = new Outbox({ ...environment, logger: this.#logger, events: input.events });
    queueMicrotask(() => {
      if (this.#isOver) return;
      this.#tell({ status: 'connecting' });
      void this.#connect();
    });
  }

  async send(message: OutgoingMessage): Promise<SendOutcome> {
    const connection = this.#connection;
    if (!connection?.isOpen) return { kind: 'unknown', reason: 'The phone is not connected' };
    return this.#outbox.send(message, {
      isOpen: () => this.#connection === connection,
      prepare: (number) => connection.recipients.prepare(number),
      // Without the null Baileys would open the links in the text to make a preview.
      sendContent: (jid, { text }, messageId) =>
        connection.live.sock.sendMessage(jid, { text, linkPreview: null }, { messageId }),
    });
  }

  /** The same code until it is used or the connection ends; undefined when the phone is linked already. */
  async requestPairingCode(phoneNumber: string): Promise<string | undefined> {
    const connection = await this.#ready.wait(patienceMs);
    if (!connection || connection.isOpen) return undefined;
    connection.pairingCode ??= connection.live.sock.requestPairingCode(phoneNumber);
    return connection.pairingCode.catch(() => undefined);
  }

  async signOut(): Promise<void> {
    const connection = this.#isOver ? undefined : await this.#ready.wait(patienceMs);
    this.#isOver = true;
    if (connection?.isOpen) await removeDevice(connection.live.sock, this.#logger);
    await this.#leave();
    await this.#input.credentials.clear();
    this.#tell({ status: 'disconnected', reason: 'The phone was signed out' });
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await this.#leave();
  }

  async #connect(): Promise<void> {
    try {
      const { socketUrl, versions, clock, answers } = this.#environment;
      const credentials = parseCredentials(await this.#input.credentials.readCredentials());
      const version = await versions.current(rememberedVersion(credentials));
      if (this.#isOver) return;
      const live = openLiveSocket({
        url: socketUrl,
        version,
        clock,
        logger: this.#logger,
        store: this.#input.credentials,
        credentials,
        devices: this.#devices,
        retryCounts: this.#retryCounts,
        findSent: this.#input.findSent,
        handlers: {
          onNode: (node) => this.#ifCurrent(connection, () => this.#handleNode(connection, node)),
          onUpdate: (update) => this.#ifCurrent(connection, () => this.#handleUpdate(connection, update)),
          onReceipts: (receipts) => this.#input.events.onReceipts(receipts),
          onIncoming: (message) => this.#input.events.onIncoming(message),
          onUnusable: (reason) => this.#input.events.onUnusable(reason),
          onStoreFailure: (error) => this.#ifCurrent(connection, () => void this.#handleStoreFailure(error)),
        },
      });
      const recipients = createRecipients({ socket: live.sock, answers, devices: this.#devices });
      const connection: Connection = { live, recipients, isOpen: false, qrCodes: 0 };
      this.#connection = connection;
    } catch (error) {
      this.#logger.error({ err: error }, 'a phone could not start to connect');
      this.#reconnect('The credentials of the phone could not be read', 'backoff');
    }
  }

  /** Whatever an earlier connection still has to say comes too late. */
  #ifCurrent(connection: Connection, work: () => void): void {
    if (!this.#isOver && this.#connection === connection) work();
  }

  #handleNode(connection: Connection, node: BinaryNode): void {
    if (node.tag === 'ack' && node.attrs.class === 'message') {
      // A participant hash says that the message went to a device list that has changed.
      if (node.attrs.phash) void this.#devices.del(jidDecode(node.attrs.from)?.user ?? '');
      this.#outbox.handleAck(node);
    }
    if (!isLinked(connection.live.credentials) && asksForPasskey(node)) {
      void this.#end({ status: 'auth_failed', reason: passkeyReason, forgetsCredentials: true });
    }
  }

  #handleUpdate(connection: Connection, update: Partial<ConnectionState>): void {
    if (update.qr) this.#showQr(connection, update.qr);
    if (update.isNewLogin) this.#tell({ status: 'connecting' });
    if (update.connection === 'open') void this.#handleOpen(connection);
    if (update.connection === 'close') void this.#handleClose(connection, update.lastDisconnect?.error);
  }

  #showQr(connection: Connection, payload: string): void {
    const expiresAt = qrExpiry(connection.qrCodes++, this.#environment.clock);
    this.#attempts = 0;
    this.#reconnectReason = undefined;
    this.#ready.provide(connection);
    this.#tell({ status: 'qr', payload, expiresAt });
  }

  async #handleOpen(connection: Connection): Promise<void> {
    const { live } = connection;
    const phoneNumber = jidDecode(live.credentials.me?.id)?.user ?? '';
    const { expectedNumber } = this.#input;
    if (expectedNumber !== undefined && !isSameNumber(expectedNumber, phoneNumber)) {
      this.#isOver = true;
      await removeDevice(live.sock, this.#logger);
      const reason = `This phone is ${expectedNumber}, but the account that was linked is ${phoneNumber}`;
      return this.#end({ status: 'auth_failed', reason, forgetsCredentials: true });
    }
    if (rememberVersion(live.credentials, live.sock.ws.config.version)) live.credentialsChanged();
    connection.isOpen = true;
    this.#attempts = 0;
    this.#refusals = 0;
    this.#reconnectReason = undefined;
    this.#ready.provide(connection);
    this.#tell({ status: 'connected', phoneNumber });
  }

  async #handleClose(connection: Connection, error: Error | undefined): Promise<void> {
    await this.#leave();
    if (this.#isOver) return;
    const code = isBoom(error) ? error.output.statusCode : 0;
    if (code === 500) this.#refusals += 1;
    this.#logger.info({ code, reason: error?.message }, 'a connection to WhatsApp ended');
    const message = error?.message ?? '';
    const isLinkedNow = isLinked(connection.live.credentials);
    await this.#follow(decideAfterClose({ code, message, isLinked: isLinkedNow, refusals: this.#refusals }));
  }

  async #handleStoreFailure(error: unknown): Promise<void> {
    this.#logger.error({ err: error }, 'a connection is given up: what it changed could not be stored');
    await this.#leave();
    if (!this.#isOver) await this.#follow(decideAfterStoreFailure(error));
  }

  async #follow(after: AfterClose): Promise<void> {
    if (after.next === 'end') return this.#end(after);
    if (after.isVersionRefused) await this.#environment.versions.refresh().catch(() => undefined);
    this.#reconnect(after.reason, after.delay);
  }

  #reconnect(reason: string, wait: 'none' | 'backoff'): void {
    if (this.#isOver) return;
    const { backoff, random } = this.#environment;
    // At once, but only the first time: a server that keeps asking for it must not be hammered.
    const isAtOnce = wait === 'none' && this.#attempts === 0;
    const delayMs = isAtOnce ? 0 : backoffDelayMs(backoff, this.#attempts, random());
    this.#attempts += 1;
    if (wait === 'backoff' && reason !== this.#reconnectReason) {
      this.#reconnectReason = reason;
      this.#tell({ status: 'reconnecting', reason });
    }
    this.#timer = setTimeout(() => void this.#connect(), delayMs);
  }

  /** Ends the session for good. */
  async #end({ status, reason, forgetsCredentials }: SessionEnd): Promise<void> {
    this.#isOver = true;
    await this.#leave();
    if (forgetsCredentials) {
      await this.#input.credentials.clear().catch((error: unknown) => {
        this.#logger.error({ err: error }, 'the credentials of a phone could not be deleted');
      });
    }
    this.#tell({ status, reason });
  }

  /** Lets go of the connection there is: nothing it was told will be answered. */
  async #leave(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    clearTimeout(this.#timer);
    this.#ready.withdraw();
    this.#outbox.giveUp('The connection broke before WhatsApp answered');
    await connection?.live.close();
  }

  #tell(state: SessionState): void {
    try {
      this.#input.events.onState(state);
    } catch (error) {
      this.#logger.error({ err: error }, 'news of a phone could not be told');
    }
  }
}
