/** Control of a stand-in from another process: plain data in, plain data out. */
import type { Arrival, ContactBehaviour, ShownText } from './account.ts';
import type { AnswerRule, CloseKind, Faults } from './faults.ts';
import type { KeptChat } from './history.ts';
import type { IncomingText, ManyChat } from './incoming.ts';
import type { MediaKind } from './media.ts';
import type { LinkResult, ScanOptions } from './pairing.ts';
import type { Stats, WhatsAppStandIn } from './stand-in.ts';

/** The texts on a contact's phone, and the messages that reached it. */
export type ContactView = {
  number: string;
  lid: string;
  behaviour: ContactBehaviour;
  /** Each message id once, in the order of arrival. */
  texts: ShownText[];
  /** Every time a text came in, repeated ids included. */
  arrivals: Arrival[];
  undecryptable: number;
};

/** Totals over many contacts, without their texts. */
export type ReceivedCounts = { shown: number; arrived: number };

export type StandInControl = {
  scan(qr: string, number: string, options?: ScanOptions): Promise<LinkResult>;
  enterCode(number: string, code: string, options?: ScanOptions): Promise<LinkResult>;
  demandPasskey(qr: string): Promise<void>;
  setContact(number: string, behaviour: Partial<ContactBehaviour>): Promise<void>;
  readContact(number: string): Promise<ContactView>;
  countReceived(numbers: string[]): Promise<ReceivedCounts>;
  incoming(incoming: IncomingText): Promise<string>;
  /** `bytes` are base64. */
  incomingFile(file: { from: string; to: string; bytes: string; type?: MediaKind; about?: object }): Promise<string>;
  /** The file that reached a contact last, base64; fails while it cannot be opened as a handset opens it. */
  openLatestFile(number: string): Promise<string>;
  fromHandset(owner: string, to: string, text: string): Promise<string>;
  addCompanion(number: string, isTold?: boolean): Promise<number>;
  lockFor(number: string, seconds: number, code: number): Promise<void>;
  /** Until that ISO 8601 time. */
  lockNewChats(number: string, until: string): Promise<void>;
  refuseLogins(number: string, code?: number): Promise<void>;
  toMany(from: string, to: string, chat: ManyChat): Promise<string>;
  /** `text`: the handset sends it when it is asked. */
  unavailable(from: string, to: string, kind: string, text?: string): Promise<string>;
  /** The handset shares these conversations with the device that it linked. */
  shareChats(number: string, chats: KeptChat[]): Promise<void>;
  sendReceipt(from: string, to: string, id: string, kind: 'delivered' | 'read'): Promise<void>;
  answerMessages(rule: AnswerRule): Promise<void>;
  answerMessagesNormally(): Promise<void>;
  setFaults(faults: Partial<Faults>): Promise<void>;
  kick(number: string, kind: CloseKind): Promise<void>;
  ban(number: string): Promise<void>;
  removeDevice(number: string): Promise<void>;
  isConnected(number: string): Promise<boolean>;
  stats(): Promise<Stats & { memoryBytes: number; cpuMicroseconds: number }>;
};

/** The names of all methods, so that a client can be made without knowing more. */
export const controlMethods = [
  'scan',
  'enterCode',
  'demandPasskey',
  'setContact',
  'readContact',
  'countReceived',
  'incoming',
  'incomingFile',
  'openLatestFile',
  'fromHandset',
  'addCompanion',
  'lockFor',
  'lockNewChats',
  'refuseLogins',
  'toMany',
  'unavailable',
  'shareChats',
  'sendReceipt',
  'answerMessages',
  'answerMessagesNormally',
  'setFaults',
  'kick',
  'ban',
  'removeDevice',
  'isConnected',
  'stats',
] as const satisfies readonly (keyof StandInControl)[];

export function controlOf(wa: WhatsAppStandIn): StandInControl {
  return {
    scan: (qr, number, options) => wa.scan(qr, number, options),
    enterCode: (number, code, options) => wa.enterCode(number, code, options),
    demandPasskey: async (qr) => wa.demandPasskey(qr),
    setContact: async (number, behaviour) => void wa.contact(number, behaviour),
    readContact: async (number) => {
      const { lid, behaviour, texts, arrivals, undecryptable } = wa.contact(number);
      return { number, lid, behaviour, texts, arrivals, undecryptable };
    },
    countReceived: async (numbers) => {
      const contacts = numbers.map((number) => wa.contact(number));
      return {
        shown: contacts.reduce((sum, contact) => sum + contact.texts.length, 0),
        arrived: contacts.reduce((sum, contact) => sum + contact.arrivals.length, 0),
      };
    },
    incoming: (incoming) => wa.incoming(incoming),
    incomingFile: ({ bytes, about, ...file }) =>
      wa.incomingMedia({ ...file, bytes: Buffer.from(bytes, 'base64'), ...(about && { change: about }) }),
    openLatestFile: async (number) => {
      const plain = await wa.media.open(wa.contact(number).arrivals.at(-1)?.message ?? {});
      return plain.toString('base64');
    },
    fromHandset: (owner, to, text) => wa.fromHandset(owner, to, { conversation: text }),
    addCompanion: async (number, isTold) => wa.addCompanion(number, isTold).number,
    lockFor: async (number, seconds, code) => wa.lockFor(number, seconds, code),
    lockNewChats: async (number, until) => wa.lockNewChats(number, new Date(until)),
    refuseLogins: async (number, code) => wa.refuseLogins(number, code),
    toMany: async (from, to, chat) => wa.toMany(from, to, chat),
    unavailable: async (from, to, kind, text) =>
      wa.unavailable(from, to, kind, text === undefined ? undefined : { conversation: text }),
    shareChats: (number, chats) => wa.shareChats(number, chats),
    sendReceipt: async (from, to, id, kind) => wa.sendReceipt(from, to, id, kind),
    answerMessages: async (rule) => wa.answerMessages(rule),
    answerMessagesNormally: async () => wa.answerMessagesNormally(),
    setFaults: async (faults) => {
      // JSON has no `undefined`: null takes a fault back.
      const set = Object.entries(faults).map(([name, value]) => [name, value ?? undefined]);
      Object.assign(wa.faults, Object.fromEntries(set));
    },
    kick: async (number, kind) => wa.kick(number, kind),
    ban: async (number) => wa.ban(number),
    removeDevice: async (number) => wa.removeDevice(number),
    isConnected: async (number) => wa.isConnected(number),
    stats: async () => {
      const { user, system } = process.cpuUsage();
      return { ...wa.stats(), memoryBytes: process.memoryUsage.rss(), cpuMicroseconds: user + system };
    },
  };
}
