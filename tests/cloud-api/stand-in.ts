/**
 * A stand-in for WhatsApp's Cloud API: sending, media, templates, numbers, and signed webhooks, with the rules that
 * Meta keeps. Knows nothing of the product. Facts: developers.facebook.com/docs/whatsapp/cloud-api.
 */
import { createHmac, randomBytes, randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '#server/platform/clock.ts';
import { systemClock } from '#server/platform/clock.ts';
import { BusinessAccount, GraphError, missing } from './account.ts';
import type { StandInNumber, StandInTemplate } from './account.ts';
import { answerGraph } from './graph-api.ts';
import { MediaShelf } from './media.ts';
import { acceptMessage, isUserId } from './messages.ts';
import type { SentToUser } from './messages.ts';
import { newConfigurationId, SignUps } from './sign-up.ts';
import { Webhooks } from './webhooks.ts';

/** Faults to simulate; may be changed at any time. */
export type Faults = {
  /** Every call is answered with this status, and a body without use. */
  outage: number | undefined;
  /** Takes the message, and breaks the connection in place of an answer: so often. */
  dropAnswers: number;
  /** The status of a message comes before the answer to its sending. */
  isStatusFirst: boolean;
  answerDelayMs: number;
  /** Nothing more is told of what was sent. */
  isSilent: boolean;
  /** Callback data is left out of statuses. */
  forgetsCallbackData: boolean;
  /** The answer to a send waits for this, after its statuses were told. */
  beforeAnswer: (() => Promise<void>) | undefined;
};

export class CloudApiStandIn {
  readonly faults: Faults = {
    outage: undefined,
    dropAnswers: 0,
    isStatusFirst: false,
    answerDelayMs: 0,
    isSilent: false,
    forgetsCallbackData: false,
    beforeAnswer: undefined,
  };
  readonly clock: Clock;
  readonly token = `EAA${randomBytes(24).toString('hex')}`;
  readonly appSecret = randomBytes(16).toString('hex');
  readonly appId = String(randomInt(1e12, 9e12));
  readonly systemUserId = String(randomInt(1e12, 9e12));
  /** The permissions of the token. */
  scopes: string[] = ['business_management', 'whatsapp_business_management', 'whatsapp_business_messaging'];
  readonly account: BusinessAccount;
  readonly number: StandInNumber;
  readonly media: MediaShelf;
  readonly webhooks: Webhooks;
  readonly configurationId = newConfigurationId();
  readonly verifyToken = randomBytes(16).toString('hex');
  readonly signUps: SignUps;
  /** Messages that reached its network, in order; also those that failed there. */
  readonly sent: SentToUser[] = [];
  /** Ids of messages that the business marked as read. */
  readonly read: string[] = [];
  /** Ids of messages that Meta no longer knows, such as old ones. */
  readonly forgotten = new Set<string>();
  /** Uploads of examples, by their session; a handle once the file is whole. */
  readonly exampleUploads = new Map<string, { size: number; handle: string | undefined; bytes: Buffer | undefined }>();
  /** The requests received, as `METHOD /path`. */
  readonly requests: string[] = [];
  /** By recipient, digits: the code with which a message fails after it was accepted. */
  readonly fates = new Map<string, number>();
  /** By recipient, digits: the code with which a message is refused at once. */
  readonly refusals = new Map<string, number>();
  /** The oldest version that is answered. */
  oldestVersion = 21;
  /** Requests for pages without a version in their path. */
  unversioned = 0;
  /** Accepted, and held until the quality of their template is judged. */
  readonly #held: SentToUser[] = [];
  readonly #http = createServer((request, response) => void this.#serve(request, response));

  static async listen({
    clock = systemClock,
    port = 0,
  }: { clock?: Clock; port?: number } = {}): Promise<CloudApiStandIn> {
    const standIn = new CloudApiStandIn(clock);
    await new Promise<void>((resolve) => standIn.#http.listen(port, '127.0.0.1', resolve));
    return standIn;
  }

  private constructor(clock: Clock) {
    this.clock = clock;
    this.account = new BusinessAccount(String(randomInt(1e12, 9e12)), clock);
    this.number = this.account.addNumber({ id: String(randomInt(1e12, 9e12)), display: '14155550199' });
    this.media = new MediaShelf(clock);
    this.webhooks = new Webhooks(this.appSecret);
    const { appId: id, appSecret: secret, configurationId, account } = this;
    this.signUps = new SignUps({ id, secret, configurationId, account, clock });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  /** The settings that point the product at this stand-in. */
  get settings(): Record<string, string> {
    return { CLOUD_API_BASE_URL: this.url };
  }

  /** The settings of an operator whose app it is. */
  get operatorSettings(): Record<string, string> {
    return {
      ...this.settings,
      CLOUD_API_APP_ID: this.appId,
      CLOUD_API_APP_SECRET: this.appSecret,
      CLOUD_API_CONFIGURATION_ID: this.configurationId,
      CLOUD_API_VERIFY_TOKEN: this.verifyToken,
      CLOUD_API_DIALOG_URL: this.url,
    };
  }

  /** The values that an owner enters to connect its number. */
  get credentials(): {
    phone_number_id: string;
    business_account_id: string;
    access_token: string;
    app_secret: string;
  } {
    return {
      phone_number_id: this.number.id,
      business_account_id: this.account.id,
      access_token: this.token,
      app_secret: this.appSecret,
    };
  }

  async close(): Promise<void> {
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }

  /** A user writes to the number; `message` is the message as its webhook has it, without id, sender and time. */
  receive(from: string, message: Record<string, unknown>, contact: Record<string, unknown> = {}): string {
    const id = `wamid.${randomBytes(24).toString('base64url')}`;
    this.account.openWindow(this.number, from);
    this.#tell({
      contacts: [{ profile: { name: 'Ana' }, wa_id: from, ...contact }],
      messages: [{ from, id, timestamp: this.#seconds(), ...message }],
    });
    return id;
  }

  receiveText(from: string, body: string): string {
    return this.receive(from, { type: 'text', text: { body } });
  }

  /** The same from a user with a user id; without a number they hide it. */
  receiveFromUser(userId: string, message: Record<string, unknown>, number?: string): string {
    const id = `wamid.${randomBytes(24).toString('base64url')}`;
    this.account.openWindow(this.number, userId);
    if (number !== undefined) this.account.openWindow(this.number, number);
    this.#tell({
      contacts: [
        {
          profile: { name: 'Ana', username: 'ana.x' },
          user_id: userId,
          ...(number !== undefined && { wa_id: number }),
        },
      ],
      messages: [
        {
          from_user_id: userId,
          ...(number !== undefined && { from: number }),
          id,
          timestamp: this.#seconds(),
          ...message,
        },
      ],
    });
    return id;
  }

  /** A system message, which opens no window: the user has another number or user id. */
  receiveSystem(system: Record<string, unknown>, from?: string): void {
    const id = `wamid.${randomBytes(24).toString('base64url')}`;
    const sender = from === undefined ? {} : { from };
    this.#tell({ messages: [{ ...sender, id, timestamp: this.#seconds(), type: 'system', system }] });
  }

  /** The user's id was made anew. */
  changeUserId(user_id: { previous: string; current: string }, number?: string): void {
    const known = number === undefined ? {} : { wa_id: number };
    const timestamp = this.#seconds();
    this.#tell({ user_id_update: [{ ...known, detail: '', user_id, timestamp }] }, 'user_id_update');
  }

  /** The owner added or edited somebody in the address book of the Business app, or removed them; `at`: in seconds. */
  syncContact(
    contact: { phone_number?: string; user_id?: string; full_name?: string; first_name?: string },
    { action = 'add', at }: { action?: 'add' | 'remove'; at: number },
  ): void {
    const entry = { type: 'contact', contact, action, metadata: { timestamp: String(at) } };
    this.#tell({ state_sync: [entry] }, 'smb_app_state_sync');
  }

  /** The user read what was sent to them. */
  tellRead(message: SentToUser): void {
    this.#tellStatus(message, 'read');
  }

  /** Reviewers, or the quality of what was sent, decide about a template. */
  decideTemplate(
    template: StandInTemplate,
    status: StandInTemplate['status'],
    { title, reason = 'NONE' }: { title?: string; reason?: string } = {},
  ): void {
    template.status = status;
    template.rejected_reason = reason;
    this.tell('message_template_status_update', {
      event: status,
      message_template_id: Number(template.id),
      message_template_name: template.name,
      message_template_language: template.language,
      reason,
      ...(title !== undefined && { other_info: { title, description: title } }),
    });
  }

  /** The quality of a template is judged: what waits for it goes out, or is dropped. */
  judge(template: StandInTemplate, isGood: boolean): void {
    this.account.judged.delete(template.id);
    for (const message of this.#held.splice(0)) {
      if (message.templateId !== template.id) this.#held.push(message);
      else this.#tellFate(isGood ? message : { ...message, failsWith: 132015 });
    }
  }

  /** Any change of the account, by the name of its field; it came about so long ago. */
  tell(field: string, value: unknown, { secondsAgo = 0 }: { secondsAgo?: number } = {}): void {
    const time = Number(this.#seconds()) - secondsAgo;
    if (this.account.isSubscribed) this.webhooks.add({ accountId: this.account.id, field, value, time });
  }

  #seconds(): string {
    return String(Math.floor(this.clock.now().getTime() / 1000));
  }

  #tell(value: Record<string, unknown>, field = 'messages'): void {
    const { display, id } = this.number;
    const metadata = { display_phone_number: display, phone_number_id: id };
    this.tell(field, { messaging_product: 'whatsapp', metadata, ...value });
  }

  #tellStatus(message: SentToUser, status: string, errors?: readonly object[]): void {
    const isPriced = status === 'sent' || status === 'delivered' || status === 'read';
    const pricing = {
      billable: message.category !== 'service',
      pricing_model: 'PMP',
      type: message.category === 'service' ? 'free_customer_service' : 'regular',
      category: message.category,
    };
    this.#tell({
      statuses: [
        {
          id: message.id,
          status,
          timestamp: this.#seconds(),
          ...(isUserId(message.to) ? { recipient_user_id: message.to } : { recipient_id: message.to }),
          ...(message.callbackData !== undefined &&
            !this.faults.forgetsCallbackData && { biz_opaque_callback_data: message.callbackData }),
          ...(isPriced && { pricing }),
          ...(errors && { errors }),
        },
      ],
    });
  }

  /** Sent, delivered and read; or failed, for what only the network finds out. */
  #tellFate(message: SentToUser): void {
    if (this.faults.isSilent) return;
    if (message.failsWith !== undefined) {
      const title = `Error ${message.failsWith}`;
      const error = {
        code: message.failsWith,
        title,
        message: title,
        error_data: { details: `Details of ${message.failsWith}` },
      };
      return this.#tellStatus(message, 'failed', [error]);
    }
    for (const status of ['sent', 'delivered', 'read']) this.#tellStatus(message, status);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    this.requests.push(`${request.method} ${url.pathname}`);
    try {
      const body = await buffer(request);
      if (this.faults.answerDelayMs > 0) await delay(this.faults.answerDelayMs);
      if (this.faults.outage !== undefined)
        return void response.writeHead(this.faults.outage).end('<html>Sorry</html>');
      if (url.pathname.startsWith('/lookaside/'))
        return this.#download(request, response, url.pathname.split('/')[2] ?? '');
      if (url.pathname.startsWith('/pictures/')) {
        const { photo } = this.account.numbers.get(url.pathname.slice('/pictures/'.length))?.profile ?? {};
        return void response.writeHead(photo ? 200 : 404, { 'content-type': 'image/jpeg' }).end(photo);
      }
      if (/^\/v\d{2}\.0\/dialog\/oauth$/.test(url.pathname)) {
        const dialog = this.signUps.dialog(url.searchParams);
        return void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(dialog);
      }
      const answer = await this.#answer(request, url, body);
      if (answer === 'dropped') return void request.socket.destroy();
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    } catch (error) {
      if (!(error instanceof GraphError)) throw error;
      const { code, message, details, status, subcode } = error;
      const errorData = details === undefined ? {} : { error_data: { messaging_product: 'whatsapp', details } };
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          error: {
            message,
            type: 'OAuthException',
            code,
            ...(subcode !== undefined && { error_subcode: subcode }),
            ...errorData,
            fbtrace_id: 'A1b2',
          },
        }),
      );
    }
  }

  #download(request: IncomingMessage, response: ServerResponse, key: string): void {
    const file = this.media.download(key);
    const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ');
    const isAllowed = scheme === 'Bearer' && (token === this.token || this.signUps.tokens.has(token));
    if (!isAllowed) return void response.writeHead(401).end();
    if (!file) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': file.mimeType, 'content-length': file.bytes.length }).end(file.bytes);
  }

  async #answer(request: IncomingMessage, url: URL, body: Buffer): Promise<object | 'dropped'> {
    const [, version = '', ...path] = url.pathname.split('/');
    if (!/^v\d{2}\.0$/.test(version)) {
      this.unversioned += 1;
      throw new GraphError(2635, 'You are calling a deprecated version of the API. Name a version');
    }
    if (Number(version.slice(1, 3)) < this.oldestVersion)
      throw new GraphError(2635, '(#2635) You are calling a deprecated version of the Ads API. Please update');
    if (path.join('/') === 'oauth/access_token' && request.method === 'GET')
      return this.signUps.exchange(url.searchParams);
    const scheme = path[0]?.startsWith('upload:') ? 'OAuth' : 'Bearer';
    const [given, token = ''] = (request.headers.authorization ?? '').split(' ');
    const isOfApp =
      (path[0] === 'debug_token' || path[0] === this.appId) && token === `${this.appId}|${this.appSecret}`;
    if (given !== scheme || !(token === this.token || this.signUps.tokens.has(token) || isOfApp)) {
      throw new GraphError(190, 'Invalid OAuth access token - Cannot parse access token', undefined, 401);
    }
    if (!this.signUps.reaches(token, this.account.id) && this.#isOfAccount(path[0] ?? ''))
      throw missing(request.method ?? 'GET', path[0] ?? '');
    const proof = url.searchParams.get('appsecret_proof');
    if (proof !== null && proof !== createHmac('sha256', this.appSecret).update(token).digest('hex'))
      throw new GraphError(100, 'Invalid appsecret_proof provided in the API argument');
    const number = this.account.numbers.get(path[0] ?? '');
    if (request.method === 'POST' && number && path[1] === 'messages') return this.#message(number, body);
    return answerGraph(this, {
      method: request.method ?? 'GET',
      path,
      url,
      body,
      type: request.headers['content-type'] ?? '',
      fileOffset: request.headers['file_offset']?.toString(),
    });
  }

  #isOfAccount(id: string): boolean {
    const { numbers, templates } = this.account;
    return id === this.account.id || numbers.has(id) || templates.has(id);
  }

  async #message(number: StandInNumber, bytes: Buffer): Promise<object | 'dropped'> {
    this.requireScope('whatsapp_business_messaging');
    const body = JSON.parse(bytes.toString()) as Record<string, unknown>;
    if (body['status'] === 'read') {
      const id = String(body['message_id']);
      if (this.forgotten.has(id)) throw new GraphError(100, '(#100) Invalid parameter', 'message_id');
      this.read.push(id);
      return { success: true };
    }
    const message = acceptMessage(this.account, number, {
      body,
      media: this.media,
      fateOf: (to) => this.fates.get(to),
      refusalOf: (to) => this.refusals.get(to),
    });
    this.sent.push(message);
    const { isStatusFirst } = this.faults;
    const isHeld = message.templateId !== undefined && this.account.judged.has(message.templateId);
    if (isHeld) this.#held.push(message);
    else this.#tellFate(message);
    if (isStatusFirst) await this.webhooks.settled();
    await this.faults.beforeAnswer?.();
    if (this.faults.dropAnswers > 0) {
      this.faults.dropAnswers -= 1;
      return 'dropped';
    }
    return {
      messaging_product: 'whatsapp',
      contacts: [
        isUserId(message.to) ? { input: message.to, user_id: message.to } : { input: body['to'], wa_id: message.to },
      ],
      messages: [{ id: message.id, message_status: isHeld ? 'held_for_quality_assessment' : 'accepted' }],
    };
  }

  requireScope(scope: string): void {
    if (!this.scopes.includes(scope)) {
      throw new GraphError(10, '(#10) Application does not have permission for this action', undefined, 403);
    }
  }
}
