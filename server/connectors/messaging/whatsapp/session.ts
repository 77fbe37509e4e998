import { jidDecode } from 'baileys';
import type { BinaryNode, ConnectionState } from 'baileys';
import { isTransient } from '#server/platform/db/errors.ts';
import type { Logger } from '#server/platform/logger.ts';
import type {
  LinkPreview,
  MediaFetch,
  OpenSession,
  OutgoingMessage,
  Peer,
  PhoneAnswer,
  PhoneQuestion,
  SendOutcome,
  Session,
  SessionState,
  StandingSignal,
  WantedMedia,
} from '../port.ts';
import { decideAfterClose, decideAfterStoreFailure, follow } from './after-close.ts';
import type { AfterClose, SessionEnd } from './after-close.ts';
import { isBoom } from './boom.ts';
import { isLinked, parseCredentials, rememberedVersion, rememberVersion } from './credentials.ts';
import { BoundedMap } from './bounded-map.ts';
import { createDeviceCache } from './device-cache.ts';
import { dropBrokenDevices, followDeviceHash, followDeviceNews } from './device-news.ts';
import { fetchMedia } from './media/fetch-media.ts';
import { MediaUploads } from './media/media-uploads.ts';
import type { MediaReference } from './media/media-uploads.ts';
import { openConnection } from './open-connection.ts';
import type { Connection, SessionParts } from './open-connection.ts';
import { Outbox } from './outbox.ts';
import { asksForPasskey } from './passkey.ts';
import { missingPreKeys } from './pre-keys.ts';
import { createPhoneProxy } from './proxy/phone-proxy.ts';
import { answerQuestion } from './questions.ts';
import { qrExpiry } from './qr-expiry.ts';
import { LookUpBreaker } from './look-up-breaker.ts';
import { removeDevice } from './remove-device.ts';
import { secretOfOwn } from './incoming/sealed-changes.ts';
import { sendThrough } from './send-through.ts';
import { Standing } from './standing.ts';
import { Reconnection } from './reconnection.ts';
import type { Pace } from './reconnection.ts';
import { Renewable } from './renewable.ts';
import { createRetryCounts } from './retry-counts.ts';
import { rememberTokenIssued, renewToken, tokenForStranger } from './trust-tokens.ts';
import { isSameNumber } from './same-number.ts';
import type { SessionEnvironment } from './session-environment.ts';

/** How long a sign-out, and somebody who wants a pairing code, wait for the connection. */
const patienceMs = 5_000;

const maxDeviceHashes = 20_000;

/** The network itself ended the connection, for another device or to have it opened anew. */
const endedByNetwork: ReadonlySet<number> = new Set([440, 515]);

/** A phone's session: connects, reconnects, and says what becomes of it until it ends for good or is closed. */
export class WhatsAppSession implements Session {
  readonly #input: OpenSession;
  readonly #environment: SessionEnvironment;
  readonly #logger: Logger;
  readonly #outbox: Outbox;
  readonly #standing: Standing;
  readonly #parts: SessionParts;
  readonly #deviceHashes = new BoundedMap<string>(maxDeviceHashes);
  #connection: Connection | undefined;
  /** A connection that is open, or shows a QR code. */
  readonly #ready = new Renewable<Connection>();
  #isOver = false;
  readonly #reconnection: Reconnection;
  readonly #over = new AbortController();
  readonly #abandoned = new AbortController();
  /** Ends a connection that leads nowhere. */
  #watchdog: NodeJS.Timeout | undefined;

  constructor(input: OpenSession, environment: SessionEnvironment) {
    this.#input = input;
    this.#environment = environment;
    this.#logger = environment.logger.child({ phoneId: input.phoneId });
    const proxy = input.proxy === undefined ? undefined : createPhoneProxy(input.proxy, environment.egress);
    this.#parts = {
      input,
      environment,
      logger: this.#logger,
      proxy,
      uploads: new MediaUploads({
        access: input.media,
        clock: environment.clock,
        protocol: new URL(environment.mediaOrigin).protocol,
        agent: proxy?.agent,
        times: environment.uploads,
      }),
      devices: createDeviceCache(environment.clock),
      retryCounts: createRetryCounts(),
      lookUpBreaker: new LookUpBreaker(environment.clock),
      abandoned: this.#abandoned.signal,
    };
    this.#reconnection = new Reconnection({
      environment,
      connect: (pace) => this.#connect(pace),
      onState: (state) => this.#tell(state),
    });
    const onSignal = (signal: StandingSignal) => input.events.onSignal(signal);
    this.#standing = new Standing({ ...environment, logger: this.#logger, onSignal });
    this.#outbox = new Outbox({
      ...environment,
      logger: this.#logger,
      events: input.events,
      askTimeLock: () => this.#standing.refused(),
      noteCap: () => this.#standing.capped(),
      proxyFailure: () => proxy?.failure(),
    });
    queueMicrotask(() => {
      if (this.#isOver) return;
      this.#tell({ status: 'connecting' });
      void this.#connect('paced');
    });
  }

  async send(message: OutgoingMessage): Promise<SendOutcome> {
    const connection = this.#connection;
    if (!connection?.isOpen) return { kind: 'unknown', reason: 'The phone is not connected', isAttempted: false };
    let file: MediaReference | undefined;
    let preview: LinkPreview | undefined;
    return this.#outbox.send(message, {
      isOpen: () => this.#connection === connection,
      isProven: () => performance.now() - (connection.openedAtMs ?? Infinity) >= this.#environment.provenMs,
      prepare: (number) => connection.recipients.prepare(number),
      findOther: (number, refused) => connection.recipients.findOther(number, refused),
      remember: (number, address) => connection.recipients.remember(number, address),
      renewSession: (address) => connection.recipients.renew(address),
      renewToken: ({ jid }) => renewToken(connection.live.sock, jid, this.#environment.clock),
      provide: async (sent) => {
        if ('media' in sent.content)
          file = await this.#parts.uploads.provide(sent.content, connection.live.mediaConnection);
        else preview = await this.#findPreview(sent);
      },
      sendMessage: async (address, sent) => {
        const { sock, chats } = connection.live;
        const token = await tokenForStranger(sock, chats, address.jid);
        const secret = secretOfOwn(await chats.secretKey(), sent.networkId);
        await sendThrough(sock, address, sent, { file, preview, token, secret });
        await rememberTokenIssued(sock, address.jid, this.#environment.clock);
      },
    });
  }

  async #findPreview({ content, manner, networkId }: OutgoingMessage): Promise<LinkPreview | undefined> {
    if (content.type !== 'text' || manner?.preview === false) return undefined;
    return this.#input.findPreview(content.text, networkId);
  }

  async fetchMedia(wanted: WantedMedia): Promise<MediaFetch> {
    const { number, lid } = wanted.peer;
    return fetchMedia(wanted, {
      mediaOrigin: this.#environment.mediaOrigin,
      agent: this.#parts.proxy?.agent,
      times: this.#environment.downloads,
      signal: this.#over.signal,
      temporaryPath: () => this.#input.media.temporaryPath(),
      chat: number === undefined ? `${lid}@lid` : `${number}@s.whatsapp.net`,
      askAgain: async (message) => {
        const connection = this.#connection;
        if (!connection?.isOpen) throw new Error('The phone is not connected');
        return connection.live.uploadAgain.ask(message, this.#over.signal);
      },
    });
  }

  async markRead({ number, lid }: Peer, networkIds: readonly string[]): Promise<void> {
    const connection = this.#connection;
    if (!connection?.isOpen) throw new Error('The phone is not connected');
    const remoteJid = number === undefined ? `${lid}@lid` : await connection.recipients.recall(number);
    // Where the account itself shows nobody what it read, Baileys tells its own devices alone.
    await connection.live.sock.readMessages(networkIds.map((id) => ({ remoteJid, id, fromMe: false })));
  }

  attend(peer: Peer, isTyping: boolean): void {
    if (this.#connection?.isOpen) this.#connection.presence.attend(peer, isTyping);
  }

  async ask(question: PhoneQuestion): Promise<PhoneAnswer> {
    return answerQuestion(this.#connection, question, {
      mediaOrigin: this.#environment.mediaOrigin,
      agent: this.#parts.proxy?.agent,
      signal: this.#over.signal,
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

  /** Also where a connection is being closed already. */
  abandon(): void {
    this.#abandoned.abort();
    this.close().catch((error: unknown) => this.#logger.warn({ err: error }, 'a session did not close'));
  }

  async #connect(pace: Pace): Promise<void> {
    try {
      const credentials = parseCredentials(await this.#input.credentials.readCredentials());
      const version = await this.#environment.versions.current(rememberedVersion(credentials));
      // A new link skips the queue, as its user waits in front of the screen.
      if (pace === 'paced' && isLinked(credentials)) await this.#environment.logins.turn(this.#over.signal);
      if (this.#isOver) return;
      this.#watch(this.#environment.connectTimeoutMs);
      const connection = openConnection({
        ...this.#parts,
        credentials,
        version,
        handlers: {
          onNode: (node) => this.#ifCurrent(connection, () => this.#handleNode(connection, node)),
          onUpdate: (update) => this.#ifCurrent(connection, () => this.#handleUpdate(connection, update)),
          onRefused: (status) => this.#ifCurrent(connection, () => void this.#handleRefusal(status)),
          onStoreFailure: (error) => this.#ifCurrent(connection, () => void this.#handleStoreFailure(error)),
        },
      });
      this.#connection = connection;
    } catch (error) {
      if (this.#isOver) return;
      this.#logger.error({ err: error }, 'a phone could not start to connect');
      const reason = 'The credentials of the phone could not be read';
      if (isTransient(error)) this.#reconnection.connectAfterOwnFault(reason);
      else this.#reconnection.connect(reason, 'backoff');
    }
  }

  /** Whatever an earlier connection still has to say comes too late. */
  #ifCurrent(connection: Connection, work: () => void): void {
    if (!this.#isOver && this.#connection === connection) work();
  }

  #handleNode(connection: Connection, node: BinaryNode): void {
    const { devices } = this.#parts;
    followDeviceNews(node, devices, connection.live.sock.user);
    dropBrokenDevices(node, devices);
    this.#uploadPreKeys(connection, missingPreKeys(node));
    connection.presence.handleNode(node);
    if (node.tag === 'ack' && node.attrs.class === 'message') {
      followDeviceHash(node, this.#deviceHashes, devices);
      this.#outbox.handleAck(node);
    }
    if (!isLinked(connection.live.credentials) && asksForPasskey(node)) {
      void this.#follow(follow('passkey'));
    }
  }

  #uploadPreKeys({ live }: Connection, count: number): void {
    if (count === 0) return;
    live.sock.uploadPreKeys(count).catch((error: unknown) => {
      this.#logger.warn({ err: error }, 'no new keys could be left with WhatsApp; it asks again');
    });
  }

  #handleUpdate(connection: Connection, update: Partial<ConnectionState>): void {
    if (update.qr) this.#showQr(connection, update.qr);
    if (update.reachoutTimeLock) void this.#standing.told(update.reachoutTimeLock);
    if (update.isNewLogin) {
      this.#watch(this.#environment.connectTimeoutMs);
      this.#tell({ status: 'connecting' });
    }
    if (update.connection === 'open') void this.#handleOpen(connection);
    if (update.connection === 'close') void this.#handleClose(connection, update.lastDisconnect?.error);
  }

  #showQr(connection: Connection, payload: string): void {
    const expiresAt = qrExpiry(connection.qrCodes++, this.#environment.clock);
    this.#reconnection.codeShown();
    this.#watch(expiresAt.getTime() - this.#environment.clock.now().getTime() + this.#environment.connectTimeoutMs);
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
    connection.openedAtMs = performance.now();
    clearTimeout(this.#watchdog);
    this.#reconnection.opened();
    this.#ready.provide(connection);
    this.#tell({ status: 'connected', phoneNumber });
    this.#standing.opened(live.sock);
  }

  async #handleClose(connection: Connection, error: Error | undefined): Promise<void> {
    const code = isBoom(error) ? error.output.statusCode : 0;
    await this.#leave({ isBroken: !endedByNetwork.has(code) });
    if (this.#isOver) return;
    const repeats = this.#reconnection.closed(code);
    this.#logger.info({ code, reason: error?.message }, 'a connection to WhatsApp ended');
    const failure = this.#proxyFailure();
    if (failure) return this.#follow(failure);
    const message = error?.message ?? '';
    const data = isBoom(error) ? error.data : undefined;
    const now = this.#environment.clock.now();
    const isLinkedNow = isLinked(connection.live.credentials);
    await this.#follow(decideAfterClose({ code, message, data, isLinked: isLinkedNow, repeats, now }));
  }

  /** The WebSocket was refused over HTTP, which closes nothing by itself. */
  async #handleRefusal(status: number): Promise<void> {
    this.#logger.info({ status }, 'a connection to WhatsApp was refused');
    this.#reconnection.closed(status);
    await this.#leave();
    if (!this.#isOver) await this.#follow(this.#proxyFailure() ?? follow('upgrade_refused'));
  }

  async #giveUp(): Promise<void> {
    await this.#leave();
    if (!this.#isOver) await this.#follow(this.#proxyFailure() ?? follow('no_answer'));
  }

  /** The proxy's own error, as it helps its owner more than a report of a broken connection. */
  #proxyFailure(): AfterClose | undefined {
    const reason = this.#parts.proxy?.failure();
    if (reason === undefined) return undefined;
    return { ...follow('proxy_failed'), reason: `${reason} It is tried again by itself; change it under Edit.` };
  }

  #watch(timeoutMs: number): void {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => {
      this.#logger.warn({ timeoutMs }, 'a connection to WhatsApp led nowhere and is given up');
      void this.#giveUp();
    }, timeoutMs);
  }

  async #handleStoreFailure(error: unknown): Promise<void> {
    this.#logger.error({ err: error }, 'a connection is given up: what it changed could not be stored');
    await this.#leave();
    if (this.#isOver) return;
    const after = decideAfterStoreFailure(error);
    if (after.next === 'reconnect' && isTransient(error)) return this.#reconnection.connectAfterOwnFault(after.reason);
    await this.#follow(after);
  }

  async #follow(after: AfterClose): Promise<void> {
    if (after.next === 'end') return this.#end(after);
    if (after.next === 'wait') {
      void this.#input.events.onSignal({ kind: 'locked', until: after.until, reason: after.reason });
      if (!this.#isOver) this.#reconnection.connectAt(after.until, after.reason);
      return;
    }
    if (after.event === 'version_refused') await this.#environment.versions.refresh().catch(() => undefined);
    if (!this.#isOver) this.#reconnection.connect(after.reason, after.delay);
  }

  /** Ends the session for good. */
  async #end({ status, reason, forgetsCredentials, isRemoved = false }: SessionEnd): Promise<void> {
    this.#isOver = true;
    await this.#leave();
    if (forgetsCredentials) {
      await this.#input.credentials.clear().catch((error: unknown) => {
        this.#logger.error({ err: error }, 'the credentials of a phone could not be deleted');
      });
    }
    this.#tell(status === 'auth_failed' ? { status, reason, isRemoved } : { status, reason });
  }

  /** Lets go of the connection there is: nothing it was told will be answered. */
  async #leave({ isBroken } = { isBroken: false }): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    this.#standing.closed();
    connection?.presence.stop();
    this.#reconnection.cancel();
    clearTimeout(this.#watchdog);
    if (this.#isOver) {
      this.#over.abort();
      this.#reconnection.reset();
    }
    this.#ready.withdraw();
    this.#outbox.giveUp('The connection broke before WhatsApp answered', { isBroken });
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
