/** Anybody on WhatsApp: a contact that receives, or the owner of a handset that links devices. Often one is both. */
import { randomBytes } from 'node:crypto';
import type { proto } from 'baileys';
import { AppState } from './app-state.ts';
import type { Companion } from './companions.ts';
import type { Connection } from './connection.ts';
import type { KeptChat } from './history.ts';
import type { BinaryNode } from './nodes.ts';
import { SignalParty } from './signal-party.ts';
import type { CipherKind, PublishedKeys } from './signal-party.ts';

/** How a contact's phone behaves; held receipts are sent by hand with `sendReceipt`. */
export type ContactBehaviour = {
  /** False: the number has no WhatsApp. */
  onWhatsApp: boolean;
  /** Sends the delivery receipt by itself. */
  delivers: boolean;
  /** Sends the read receipt by itself. */
  reads: boolean;
  /** Puts its LID instead of its number on receipts and messages. */
  hidesNumber: boolean;
  /** Asks for a message again that it could not decrypt. */
  asksAgain: boolean;
  /** The number WhatsApp knows this person by, where it differs from the one people dial (Brazil's ninth digit). */
  knownAs: string | undefined;
  /** Messages to this kind of address are refused, with the error that WhatsApp gives. */
  refusesAddress: { kind: 'pn' | 'lid'; error: number } | undefined;
  /** A second device of theirs is named whose keys are broken. */
  hasBrokenDevice: boolean;
  /**
   * Messages that carry no token of this person's are refused with 463, and of a stranger those without a `cstoken`.
   * Recipients of their messages are given a token.
   */
  demandsToken: boolean;
};

/** A text as the contact's phone shows it. */
export type ShownText = { id: string; from: string; text: string };

/** Every time a text came in and could be decrypted, shown or not. */
export type Arrival = ShownText & {
  encryption: CipherKind;
  /** After how many seconds it disappears from the chat. */
  expiration?: number;
  /** All of it, where it was more than a text. */
  message?: proto.IMessage;
};

/** A device linked to an account: what this product is to WhatsApp. */
export type LinkedDevice = {
  readonly number: number;
  readonly noiseKey: Buffer;
  keys: Omit<PublishedKeys, 'preKey'>;
  preKeys: { id: number; publicKey: Buffer }[];
  /** Whether the device was told that few of them are left, and has uploaded none since. */
  isToldOfPreKeys: boolean;
  connection: Connection | undefined;
  isNew: boolean;
  isRemoved: boolean;
  /** Stanzas sent to the device and not confirmed by it yet; sent again at the next login. */
  unconfirmed: Map<string, BinaryNode>;
  /** Messages that contacts, and its owner on the handset, sent to it, for when it asks again. */
  sentToIt: Map<string, { sender: Account; message: proto.IMessage; attrs: Record<string, string> }>;
  /** Of those, what the device answered with an error. */
  refused: Set<string>;
  /** Online, as it said; and whose typing it asked to be told of. */
  isAvailable: boolean;
  watched: Set<string>;
  /** While what waited is handed over: what of it went out, and how much at a time. */
  queue: { sent: Set<string>; batchSize: number; onEmpty(): void } | undefined;
};

export type NewChatCap = { used: number; total: number; status?: string; endsAt?: Date };

export class Account {
  readonly number: string;
  /** The account's other address, which hides the number. */
  readonly lid: string;
  readonly party = new SignalParty();
  /** The texts on the phone's screen, each message id once, in the order in which they came. */
  readonly texts: ShownText[] = [];
  readonly arrivals: Arrival[] = [];
  /** Texts the account's own linked devices sent, as the handset shows them. */
  readonly ownTexts: ShownText[] = [];
  /** Messages that the server keeps from linked devices, and the handset may send them. */
  readonly keptByHandset = new Map<string, { from: Account; message: proto.IMessage }>();
  readonly devices = new Map<number, LinkedDevice>();
  /** Messages of this person's that others were said to have read; the ids, each time. */
  readonly toldRead: string[] = [];
  /** The typing of others that this person's phone was shown, in order. */
  readonly sawTyping: { from: string; state: string }[] = [];
  /** Whether the account lets others know what it read. */
  sendsReadReceipts = true;
  /** Devices that are not this product's. */
  readonly companions = new Map<number, Companion>();
  /** The salt for tokens for strangers: the handset shares it with its devices. */
  readonly nctSalt = randomBytes(32);
  /** Conversations that the handset shares with a device that it links, piece by piece. */
  sharedChats: KeptChat[][] = [];
  /** The settings that its devices share. */
  readonly appState = new AppState();
  /** The tokens that the account gave others so that they may write to it, by their number. */
  readonly tokensGiven = new Map<string, Buffer>();
  behaviour: ContactBehaviour = {
    onWhatsApp: true,
    delivers: true,
    reads: false,
    hidesNumber: false,
    asksAgain: true,
    knownAs: undefined,
    refusesAddress: undefined,
    hasBrokenDevice: false,
    demandsToken: false,
  };
  name: string;
  /** The text below the name, and the picture; undefined: shown to nobody. */
  about: string | undefined;
  photo: Buffer | undefined;
  /** The people with whom it has a chat: somebody wrote in it, one way or the other. A message to anybody else begins one. */
  readonly chats = new Set<string>();
  /** The people whom the account has blocked, by their LIDs. */
  readonly blocked = new Set<string>();
  /** Refuses every login with this failure code (403: banned). */
  loginFailure: number | undefined;
  /** Locked for the reason with this code, for so long from the first login on that it refuses. */
  lock: { seconds: number; code: number; endsAtMs?: number } | undefined;
  /** New chats are locked until then. */
  newChatsLockedUntil: Date | undefined;
  /** How often it was asked whether they are. */
  timeLockAsks = 0;
  /** The cap on new chats, as the account is told when it asks; undefined: there is none. */
  newChatCap: NewChatCap | undefined;
  undecryptable = 0;
  #shown = new Set<string>();
  /** By the id of each message, its place; one that could not be decrypted keeps it until it comes again. */
  readonly #places = new Map<string, number>();
  #lastDevice = 0;

  constructor(number: string) {
    this.number = number;
    this.lid = `1${number.padStart(15, '7')}`;
    this.name = `WhatsApp ${number}`;
  }

  has(messageId: string): boolean {
    return this.#shown.has(messageId);
  }

  receive(arrival: Arrival): void {
    this.arrivals.push(arrival);
    if (this.#shown.has(arrival.id)) return;
    this.#shown.add(arrival.id);
    const place = this.keepPlace(arrival.id);
    const next = this.texts.findIndex(({ id }) => (this.#places.get(id) ?? 0) > place);
    const { id, from, text } = arrival;
    this.texts.splice(next === -1 ? this.texts.length : next, 0, { id, from, text });
  }

  /** Somebody edits a message that is shown, or takes it back. */
  change(change: proto.Message.IProtocolMessage | null | undefined): void {
    const place = this.texts.findIndex(({ id }) => id === change?.key?.id);
    const shown = this.texts[place];
    if (!change || !shown) return;
    const edited = change.editedMessage?.extendedTextMessage?.text ?? change.editedMessage?.conversation;
    if (edited) this.texts[place] = { ...shown, text: edited };
    else this.texts.splice(place, 1);
  }

  /** 'Waiting for this message': it is shown where it came first, whenever it can be read. */
  keepPlace(messageId: string): number {
    const place = this.#places.get(messageId) ?? this.#places.size;
    this.#places.set(messageId, place);
    return place;
  }

  nextDeviceNumber(): number {
    this.#lastDevice += 1;
    return this.#lastDevice;
  }

  /** The device linked last that is still linked. */
  get device(): LinkedDevice | undefined {
    return [...this.devices.values()].filter((device) => !device.isRemoved).at(-1);
  }
}

/** Accounts by phone number and by LID. Looking up an account creates it. */
export class Directory {
  readonly #byNumber = new Map<string, Account>();
  readonly #byLid = new Map<string, Account>();

  account(number: string): Account {
    const known = this.#byNumber.get(number);
    if (known) return known;
    const account = new Account(number);
    this.#byNumber.set(number, account);
    this.#byLid.set(account.lid, account);
    return account;
  }

  find(user: string, domain: string): Account | undefined {
    return domain === 'lid' ? this.#byLid.get(user) : this.account(user);
  }

  all(): IterableIterator<Account> {
    return this.#byNumber.values();
  }
}
