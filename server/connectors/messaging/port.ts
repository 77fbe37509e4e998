/**
 * The port to a messaging network. A connector owns one live session a phone; the worker that holds the phone's
 * lease opens it, feeds it messages and learns of everything that happens through `SessionEvents`.
 */
import type { Readable } from 'node:stream';
import type { FailureCode } from '#contracts/failure-codes.ts';
import type {
  MediaType,
  MessageCall,
  MessageContext,
  MessageLocation,
  MessageOrder,
  MessagePayment,
  MessagePoll,
  MessageType,
  OutgoingContent,
  SendingManner,
  SharedContact,
  OutgoingMedia,
} from '#contracts/message-content.ts';
import type { ConnectorName } from '#contracts/connectors.ts';
import type { CloudFacts } from '#contracts/phone-numbers.ts';
import type { WhatsappTemplate } from '#contracts/whatsapp-templates.ts';

export type { ConnectorName, OutgoingContent };

/** An earlier message of the conversation that is answered or reacted to; `is_own`: it went out from this side. */
export type Quote = { network_id: string; is_own: boolean; type: MessageType; text: string };

/** How the LID of somebody whose number is not known stands in place of a number. */
export const lidPrefix = 'lid:';

export const lidOf = (to: string): string | undefined =>
  to.startsWith(lidPrefix) ? to.slice(lidPrefix.length) : undefined;

/**
 * A message this phone sent before, and what it carried. `to`: digits, or `lid:` and the LID. A reaction always has a
 * `quote`.
 */
export type SentMessage = { to: string; content: OutgoingContent; quote: Quote | null; manner?: SendingManner };

/** How a link in a text is shown; `url` is the link as it stands there. */
export type LinkPreview = { url: string; title: string; description: string | null; thumbnail: Uint8Array | null };

/** A message on its way out. `networkId` is chosen by `createNetworkId` and stored before `send` is called. */
export type OutgoingMessage = SentMessage & { networkId: string };

/** A message of this phone that was not read yet, as far as is known. */
export type UnreadMessage = { id: number; networkId: string; to: string };

/** The failures that a network can answer with. */
export type RefusalCode = Extract<
  FailureCode,
  | 'not_on_whatsapp'
  | 'network_refused'
  | 'account_restricted'
  | 'media_unavailable'
  | 'opted_out'
  | 'window_closed'
  | 'template_refused'
  | 'marketing_capped'
  | 'number_stopped'
>;

/**
 * How the network answered one send.
 * - `accepted`: the network's server took it (the message is `sent`); `networkId` is the one that it chose, if it does;
 * - `refused`: it never will; `code` is stable snake_case, `reason` a sentence for the user;
 * - `held`: not now; it may be tried again after `until`;
 * - `unknown`: no answer came; a resend is up to `resendIsHarmless`. `isAttempted` is false where it was not even tried, or
 *   its connection is to blame; it is tried again after `until`, at once where that is left out.
 */
export type SendOutcome =
  | { kind: 'accepted'; at: Date; networkId?: string }
  | { kind: 'refused'; code: RefusalCode; reason: string }
  | {
      kind: 'held';
      code: Extract<
        FailureCode,
        | 'account_restricted'
        | 'number_stopped'
        | 'look_ups_paused'
        | 'media_upload_failed'
        | 'network_refused'
        | 'template_refused'
      >;
      reason: string;
      until: Date;
    }
  | { kind: 'unknown'; reason: string; isAttempted: boolean; until?: Date };

/**
 * A later word on a message we sent, matched by its network id alone (a receipt may name another address). `theirId`: the
 * id that the network chose, where the message is still known by ours.
 */
export type Receipt = { networkId: string; theirId?: string } & ReceiptNews;

/** A change of a sent message's status. */
export type ReceiptNews =
  | { status: 'sent' | 'delivered' | 'read'; at: Date }
  /** The network had taken it and could not deliver it; one that arrived stays so. */
  | { status: 'failed'; code: RefusalCode; reason: string };

/** The other side of a conversation: digits with the calling code, or the network's own address while they are unknown. */
export type Peer = { number: string; lid?: string } | { number?: undefined; lid: string };

/** The number, else `lid:` and the LID: how suppressions and threads name a person. */
export const personOfPeer = ({ number, lid }: Peer): string => number ?? `${lidPrefix}${lid}`;

/** Media as the network describes it; `source` is what the connector needs to fetch the bytes later. */
export type IncomingMedia = {
  mimeType: string | null;
  fileName: string | null;
  size: number | null;
  sha256: string | null;
  source: Record<string, string>;
};

/**
 * The content of an incoming message. `text` is the text, the caption, the question of a poll, or the title of a
 * pressed button, empty where there is none. The kinds of `IncomingChange` change an earlier message of the
 * conversation instead.
 */
export type IncomingContent =
  /** `isPressed`: the title of a button or of an entry in a list. */
  | { type: 'text'; text: string; isPressed?: true }
  | { type: MediaType; text: string; media: IncomingMedia }
  | { type: 'location'; text: string; location: MessageLocation }
  | { type: 'contact'; text: string; contacts: SharedContact[] }
  | { type: 'poll'; text: string; poll: Omit<MessagePoll, 'votes'> }
  | { type: 'order'; text: string; order: MessageOrder }
  | { type: 'payment'; text: string; payment: MessagePayment }
  | { type: 'call'; text: ''; call: MessageCall }
  /**
   * The message is there and cannot be read yet; the same network id comes again with its content, if that ever
   * arrives.
   */
  | { type: 'waiting'; text: '' }
  | { type: 'unsupported'; text: string; protocolType: string }
  /** The person shows the number, which stands in `peer`; nothing else comes of it. */
  | { type: 'number_shared' }
  | IncomingChange;

/**
 * `target`: the network id of the message that it changes. An empty `emoji` takes a reaction back. `context`: whom the new
 * wording mentions, and how its link is shown.
 */
export type IncomingChange =
  | { type: 'reaction'; target: string; emoji: string }
  | { type: 'edit'; target: string; text: string; context?: MessageContext | undefined }
  | { type: 'revocation'; target: string }
  /** `hashes`: the SHA-256 of the text of each chosen option, hexadecimal. */
  | { type: 'vote'; target: string; hashes: string[] }
  | SealedChange;

/**
 * A change that only the secret of the message it names opens: `Connector.openSealed` does. `isOfOwn`: it names a message
 * of this side, whose secret is `ownSecret` where it went out from here.
 */
export type SealedChange = {
  type: 'sealed';
  target: string;
  isOfOwn: boolean;
  ownSecret: string | undefined;
  sealed: Record<string, string>;
};

/** A message from outside, or one that the owner sent on a device of their own. `networkId` is unique within the chat. */
export type IncomingMessage = {
  networkId: string;
  peer: Peer;
  isFromHandset: boolean;
  at: Date;
  senderName?: string;
  /** The network id of the message it answers. */
  replyTo?: string;
  context?: MessageContext;
  /** Opens what is sealed of later changes to it; base64. */
  secret?: string;
  content: IncomingContent;
};

/** A message of before the phone was linked; `status` is that of one that went out. */
export type EarlierMessage = IncomingMessage & { status: 'sent' | 'delivered' | 'read' };

/** The `protocolType` of a message of before whose file comes apart from its chat, where it still lasts. */
export const mediaPlaceholder = 'media_placeholder';

/** News of the chats that a handset shares after linking; the same may be told again after a broken connection. */
export type HistoryNews =
  | { kind: 'begun' }
  /** A part of a conversation, newest first, `unread`: how many messages of the whole nobody has read. */
  | { kind: 'chat'; peer: Peer; name: string | undefined; unread: number; messages: EarlierMessage[] }
  /** The file of a message that a chat held without it, or will hold; `peer`: its chat, where that is told. */
  | { kind: 'file'; peer: Peer | undefined; message: Omit<EarlierMessage, 'peer'> }
  /**
   * Another piece has been read, or never can be; `percent`: how far the handset has come, where it says so. `isLast`: no
   * other one waits.
   */
  | { kind: 'piece'; percent: number | undefined; isLost: boolean; isLast: boolean };

/** Another worker holds the phone by now; nothing was written. */
export class StaleLeaseError extends Error {
  constructor(lease: { phoneId: number; token: number }) {
    super(`Lease ${lease.token} of phone ${lease.phoneId} is no longer held`);
    this.name = 'StaleLeaseError';
  }
}

/** The store will refuse this however often it is tried. */
export class UnstorableError extends Error {
  constructor(cause: unknown) {
    super('The message can never be stored', { cause });
    this.name = 'UnstorableError';
  }
}

/** Why a session ended for good, or what it is doing. Reasons are sentences that a user may read. */
export type SessionState =
  | { status: 'connecting' }
  | { status: 'qr'; payload: string; expiresAt: Date }
  /** The account wants a passkey proven before it links; `Session.answerPasskey` takes the answer. No engine does it yet. */
  | { status: 'passkey'; challenge: string }
  /** `facts`: what the network says of the number itself, where it says anything. */
  | { status: 'connected'; phoneNumber: string; facts?: CloudFacts }
  /** `isOurs`: not the network is away, but what is kept here could not be read or written for now. */
  | { status: 'reconnecting'; reason: string; isOurs?: boolean }
  | { status: 'disconnected'; reason: string }
  /** `isRemoved`: the network took this device off the account, and nobody here asked for it. */
  | { status: 'auth_failed'; reason: string; isRemoved?: boolean }
  | { status: 'banned'; reason: string };

/** Whether the network locks new chats, and until when where it says so. */
export type TimeLock = { isActive: boolean; endsAt: Date | null };

/** How the network judges the account. */
export type StandingSignal =
  /**
   * The network refused this message to this number for the account's behaviour; `timeLock` is undefined where no
   * further reason was given.
   */
  | { kind: 'refused'; to: string; networkId: string; timeLock: TimeLock | undefined }
  | { kind: 'time_lock'; timeLock: TimeLock }
  /** How many new chats of a cycle are used; a total of -1 is no cap. `status` is the network's own word. */
  | { kind: 'cap'; status: string | null; used: number; total: number; endsAt: Date | null }
  /** The account may not connect until then; `reason` is a sentence. */
  | { kind: 'locked'; until: Date; reason: string }
  /** The network takes nothing of the number until then; `reason` is a sentence. */
  | { kind: 'held'; until: Date; reason: string }
  /** The person wants no marketing of this business any more. */
  | { kind: 'marketing_stopped'; to: string }
  /** The network answers no questions about numbers until then. */
  | { kind: 'look_ups_paused'; until: Date };

/** Calls from the session to its owner. None may throw; `onState` calls arrive in order. */
export type SessionEvents = {
  onState(state: SessionState): void;
  /** Where it answers with a promise, the receipts are confirmed to the network once that resolves. */
  onReceipts(receipts: Receipt[]): void | Promise<void>;
  /**
   * Resolves once the message is stored; only then does the connector confirm it to the network. Rejects with
   * `UnstorableError` where it never can be: it is confirmed all the same. After any other error it comes again.
   */
  onIncoming(message: IncomingMessage): Promise<void>;
  /** Resolves once it is stored; false: no more of it is taken. */
  onHistory(news: HistoryNews): Promise<boolean>;
  /** Something from outside was confirmed and left out, since it can never be stored; `reason` is for the log. */
  onUnusable(reason: string): void;
  /** Somebody is writing to this phone, or stopped; told only while the conversation is attended. */
  onTyping(peer: Peer, isTyping: boolean): void;
  /** Somebody whose conversation is attended is online, or was last then; null where they tell nobody. */
  onOnline(peer: Peer, online: { isOnline: boolean; lastSeen: Date | null }): void;
  /** Resolves once it is stored; a message that was refused is settled after that. */
  onSignal(signal: StandingSignal): Promise<void>;
};

/**
 * Where a connector keeps a phone's credentials. Values are encrypted at rest by the store; every write is refused
 * (`StaleLeaseError`) once the lease token it was opened with is no longer the current one.
 */
export type CredentialStore = {
  readCredentials(): Promise<string | undefined>;
  writeCredentials(value: string): Promise<void>;
  readKeys(type: string, ids: readonly string[]): Promise<Map<string, string>>;
  /** All in one statement; a null value deletes. */
  writeKeys(entries: readonly { type: string; id: string; value: string | null }[]): Promise<void>;
  /** All but what outlives a link: contacts' tokens, and what tokens for strangers are made of (`tctoken`, `salt`). */
  clear(): Promise<void>;
};

/** A file that a message carries; whoever opens it reads `bytes`, or destroys them. */
export type OpenedMedia = {
  bytes: Readable;
  /** A small JPEG of a picture, and its measures in pixels. */
  thumbnail: Uint8Array | null;
  width: number | null;
  height: number | null;
  /** Of a sound or a film. */
  durationMs: number | null;
  /** Of a voice note: 64 volumes from 0 to 100. */
  waveform: Uint8Array | null;
};

/** The file is there no longer: what carries it cannot be sent. */
export class MediaMissingError extends Error {
  override readonly name = 'MediaMissingError';
}

/** The files of a phone's messages. Where the network has one is the connector's own business, and kept for it. */
export type MediaAccess = {
  /** Rejects with `MediaMissingError`. */
  open(mediaId: string): Promise<OpenedMedia>;
  findUpload(mediaId: string, type: MediaType): Promise<Record<string, string> | undefined>;
  saveUpload(mediaId: string, type: MediaType, reference: Record<string, string>): Promise<void>;
  /** Where a file may be put for a while; whoever does so removes it. */
  temporaryPath(): Promise<string>;
};

/** The file of a message from outside. `maxBytes`: what has more is not fetched. */
export type WantedMedia = {
  networkId: string;
  peer: Peer;
  isFromHandset: boolean;
  type: MediaType;
  source: Record<string, string>;
  /** Whether its handset is asked to upload it again where the network has it no longer; that takes up to a minute. */
  mayAskAgain: boolean;
  /** As the message says, hexadecimal and in bytes. */
  sha256: string | null;
  size: number | null;
  maxBytes: number;
};

/** `fetched`: it lies at `path`, whole and as the message says, and whoever gets it removes it. `later`: it may come yet. */
export type MediaFetch =
  | { kind: 'fetched'; path: string; size: number; sha256: string }
  | { kind: 'failed'; reason: string }
  | { kind: 'later'; reason: string }
  /** The network has it no longer, and its handset was not asked. */
  | { kind: 'gone'; reason: string };

export type OpenSession = {
  phoneId: number;
  /** The number the phone was added with, digits; undefined when whichever account scans decides. */
  expectedNumber: string | undefined;
  credentials: CredentialStore;
  /** `http:`, `https:` or `socks5:` with user name and password: everything of this phone goes through it. */
  proxy: string | undefined;
  /** A message this phone sent before, for a recipient that asks for it again. */
  findSent(networkId: string): Promise<SentMessage | undefined>;
  media: MediaAccess;
  /** Whether somebody's call is to be rejected. */
  rejectsCalls(): Promise<boolean>;
  /** From when on the chats of before the link are wanted; undefined: they are not. */
  takesHistorySince(): Promise<Date | undefined>;
  /** The preview of a link in this text, within seconds; it is kept with the message. Never rejects. */
  findPreview(text: string, networkId: string): Promise<LinkPreview | undefined>;
  /**
   * Messages that this phone sent in the last day before `sentBefore` and that have no read receipt: up to 500 after
   * the id `after`, in their order.
   */
  findUnread(page: { after: number; sentBefore: Date }): Promise<UnreadMessage[]>;
  events: SessionEvents;
};

/** `reason` is a sentence for people. */
export type ProxyTrial = { works: true; tookMs: number } | { works: false; reason: string };

/** A requirement of a number, and whether it is met; `message` is a sentence. */
export type NumberCheck = { name: string; ok: boolean; message: string };

/** The code that the network's dialog gave to `redirectUri`, and the ids that it named beside it. */
export type SignUpAnswer = {
  code: string;
  redirectUri: string;
  businessAccountId: string | undefined;
  phoneNumberId: string | undefined;
};

/** `number` is digits; `refused` and `later`, where the network could not say: a sentence. */
export type SignedUpNumber =
  | {
      kind: 'signed_up';
      number: string;
      access: { phone_number_id: string; business_account_id: string; access_token: string };
    }
  | { kind: 'refused' | 'later'; reason: string };

/** `facts` is undefined where the network did not say anything of the number. */
export type CredentialTrial = { checks: NumberCheck[]; facts: CloudFacts | undefined };

/** Something that the network of a phone is asked, or told, while somebody waits. Numbers are digits. */
export type PhoneQuestion =
  | { kind: 'check'; number: string }
  /** `number`: digits, or `lid:` and a LID. */
  | { kind: 'contact'; number: string }
  | { kind: 'block'; number: string; isBlocked: boolean }
  /** How the phone's own number is shown, after this change of it; `photo`: a square JPEG, base64. */
  | { kind: 'profile'; change: { name?: string; about?: string | null; photo?: string | null } };

/**
 * The answer to the question of the kind `to`. `exists`: the number is on the network; `number` is the one that the network
 * knows the person by, such as a Brazilian mobile without its ninth digit. `photo`: a small JPEG, base64. `until` is ISO
 * 8601.
 */
export type PhoneAnswer =
  | { kind: 'answered'; to: 'check'; exists: boolean; number: string; lid: string | null }
  | {
      kind: 'answered';
      to: 'contact';
      /** Null where the person was asked for by the LID. */
      number: string | null;
      lid: string | null;
      about: string | null;
      photo: string | null;
      is_blocked: boolean;
    }
  | { kind: 'answered'; to: 'block' }
  | { kind: 'answered'; to: 'profile'; name: string | null; about: string | null; photo: string | null }
  | {
      kind: 'refused';
      code: 'look_ups_paused' | 'not_on_whatsapp' | 'network_refused' | 'phone_silent';
      reason: string;
      until: string | null;
    };

export type Session = {
  /** Sends one message and waits for the network's answer. Many calls may be under way at once. Never rejects. */
  send(message: OutgoingMessage): Promise<SendOutcome>;
  /** Fetches the file of a message that came. Never rejects. */
  fetchMedia(wanted: WantedMedia): Promise<MediaFetch>;
  /** Tells the sender that these messages were read. Rejects where that did not leave. */
  markRead(peer: Peer, networkIds: readonly string[]): Promise<void>;
  /**
   * Somebody has the conversation open: the phone is online for a minute, learns of typing there, and shows there whether
   * somebody types. Nothing where it is not connected. Never throws.
   */
  attend(peer: Peer, isTyping: boolean): void;
  /** Asks the network something. Never rejects. Absent where `ConnectorTraits.answersQuestions` is false. */
  ask?(question: PhoneQuestion): Promise<PhoneAnswer>;
  /** An 8-character code to type on the handset instead of scanning; undefined when the connector has none. */
  requestPairingCode(phoneNumber: string): Promise<string | undefined>;
  /** Answers the challenge of the state `passkey`: the assertion as JSON. Absent where the engine cannot. */
  answerPasskey?(assertion: string): Promise<void>;
  /** Takes this device off the account on the network and forgets its credentials. */
  signOut(): Promise<void>;
  /** Closes the connection and keeps the credentials. Resolves once pending changes are stored. */
  close(): Promise<void>;
  /** The phone may be another worker's in a moment: leaves the network at once, without what is yet to be stored. */
  abandon(): void;
};

/** A template as the network has it; `networkId` is the network's own id. */
export type NetworkTemplate = Pick<
  WhatsappTemplate,
  'name' | 'language' | 'category' | 'status' | 'reason' | 'quality'
> & {
  networkId: string;
  parameterFormat: WhatsappTemplate['parameter_format'];
  components: WhatsappTemplate['components'];
};

/** `reason` is a sentence; after `refused` the same call will be refused again. */
export type TemplateAnswer<T> = { kind: 'answered'; body: T } | { kind: 'refused' | 'unreachable'; reason: string };

/** The templates of the business account that a number's credentials name. No other call than `uploadExample` rejects. */
export type TemplateAccess = {
  /** The handle of a file that reviewers see in a header. Rejects with `MediaMissingError`. */
  uploadExample(
    credentials: string,
    example: { media: MediaAccess; file: Pick<OutgoingMedia, 'id' | 'mime_type' | 'file_name'> },
  ): Promise<TemplateAnswer<string>>;
  list(credentials: string): Promise<TemplateAnswer<NetworkTemplate[]>>;
  /** Hands it in for review; the network may choose another category. */
  create(
    credentials: string,
    template: Pick<NetworkTemplate, 'name' | 'language' | 'category' | 'parameterFormat' | 'components'>,
  ): Promise<TemplateAnswer<Pick<NetworkTemplate, 'networkId' | 'status' | 'category'>>>;
  edit(
    credentials: string,
    change: Pick<NetworkTemplate, 'networkId' | 'components'> & Partial<Pick<NetworkTemplate, 'category'>>,
  ): Promise<TemplateAnswer<unknown>>;
  /** Removes a single language of it. */
  remove(credentials: string, template: Pick<NetworkTemplate, 'name' | 'networkId'>): Promise<TemplateAnswer<unknown>>;
};

/** How people see a number: `photo` is a JPEG. */
export type ShownProfile = { name: string | null; about: string | null; photo: Uint8Array | null };

/** How people see the number that these credentials are of, where the network keeps that. No call rejects. */
export type ProfileAccess = {
  read(credentials: string): Promise<TemplateAnswer<ShownProfile>>;
  /** Changes what is named. */
  change(credentials: string, change: { about?: string; photo?: Uint8Array }): Promise<TemplateAnswer<unknown>>;
};

/** `silent`: whether it is right is not known. */
export type AppTrial = { kind: 'right' } | { kind: 'refused' | 'silent'; reason: string };

export type Connector = {
  readonly name: ConnectorName;
  /** The library that speaks to the network: credentials work only with the engine that made them. */
  readonly engine: string;
  /** Whether sending the same network id a second time shows the recipient nothing new. */
  readonly resendIsHarmless: boolean;
  /** How many sends the connector wants under way at once for one phone. */
  readonly concurrentSends: number;
  createNetworkId(): string;
  /** Decrypts a sealed change with the secret of the message it names; undefined where that does not open it. */
  openSealed?(change: SealedChange, secret: string): Promise<Exclude<IncomingChange, SealedChange> | undefined>;
  /** Tries whether the network can be reached through a proxy. Never rejects. Absent where phones have none. */
  testProxy?(url: string): Promise<ProxyTrial>;
  /** Says of each thing that these credentials need whether it is right. Never rejects. Absent where phones have none. */
  testCredentials?(input: { credentials: string; expectedNumber: string }): Promise<CredentialTrial>;
  /**
   * Has the network hand over, once, what a number that stays in an app of its own holds there. Never rejects; answers, in
   * sentences, what was not taken. Absent where no number does.
   */
  requestShared?(input: { credentials: string }): Promise<string[]>;
  /**
   * Takes the number that its owner shared with the operator's app at the network. Never rejects. Absent where the operator
   * has none.
   */
  takeSignUp?(input: SignUpAnswer): Promise<SignedUpNumber>;
  /** Whether the network takes the operator's app. Never rejects. Absent where there is none. */
  testApp?(): Promise<AppTrial>;
  /** Absent where the network has no templates. */
  readonly templates?: TemplateAccess;
  /** Absent where a session is asked instead, or there is no profile. */
  readonly profiles?: ProfileAccess;
  /** Loads what `open` needs, and is awaited before it. Absent where nothing is loaded late. */
  load?(): Promise<void>;
  /** Opens the session, linking it first when there are no credentials. Returns at once; news come as events. */
  open(input: OpenSession): Session;
};
