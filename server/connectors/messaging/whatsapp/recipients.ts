import { jidDecode, jidEncode, jidNormalizedUser } from 'baileys';
import type { FullJid, WASocket } from 'baileys';
import type { Clock } from '#server/platform/clock.ts';
import { lidOf } from '../port.ts';
import { BoundedMap } from './bounded-map.ts';
import type { ChatBook } from './chat-book.ts';
import type { DeviceCache } from './device-cache.ts';
import type { LookUpBreaker } from './look-up-breaker.ts';
import { createLookUps } from './look-ups.ts';
import type { LookUpSocket } from './look-ups.ts';

const foundMaxAgeMs = 24 * 60 * 60_000;
const notFoundMaxAgeMs = 10 * 60_000;
const maxNumbers = 50_000;

/** WhatsApp's answers about numbers: the address, or null for a number without WhatsApp. */
export type NumberAnswers = {
  get(number: string): string | null | undefined;
  set(number: string, jid: string | null): void;
};

/** Shared by all phones: whether a number is on WhatsApp does not depend on who asks. */
export function createNumberAnswers(clock: Clock): NumberAnswers {
  const answers = new BoundedMap<{ jid: string | null; expiresAtMs: number }>(maxNumbers);
  return {
    get(number) {
      const answer = answers.get(number);
      return answer && answer.expiresAtMs > clock.now().getTime() ? answer.jid : undefined;
    },
    set(number, jid) {
      const maxAgeMs = jid === null ? notFoundMaxAgeMs : foundMaxAgeMs;
      answers.set(number, { jid, expiresAtMs: clock.now().getTime() + maxAgeMs });
    },
  };
}

type RecipientsOptions = {
  socket: Pick<WASocket, 'getUSyncDevices' | 'user' | 'authState' | 'assertSessions'> & LookUpSocket;
  chats: ChatBook;
  answers: NumberAnswers;
  devices: DeviceCache;
  breaker: LookUpBreaker;
};

/** Where to write to: `kind` is what the address is made of, the phone number or the LID that stands for it. */
export type Address = {
  jid: string;
  kind: 'pn' | 'lid';
  /** After how many seconds the messages of this conversation disappear; undefined where they stay. */
  expiration?: number;
};

/**
 * Everything a message needs to know of its recipient, asked before the message takes its turn: Baileys sends one
 * message after the other, and would ask while all others wait. Throws `LookUpsPausedError` while WhatsApp answers no
 * more questions.
 */
export type Recipients = {
  /**
   * The address to write to, its devices and keys at hand; undefined when the number is not on WhatsApp. `number` may be
   * `lid:` and a LID, here and in what follows from it.
   */
  prepare(number: string): Promise<Address | undefined>;
  /** The contact takes nothing at this address: the other one, where there is one. */
  findOther(number: string, refused: Address): Promise<Address | undefined>;
  /** The contact took a message at this address alone: it is written to there for a week. */
  remember(number: string, address: Address): Promise<void>;
  /** Fetches its devices and their keys anew. */
  renew(address: Address): Promise<void>;
  /** Whether a number is on WhatsApp, by which number and LID. Throws `LookUpsPausedError`. */
  check(number: string): Promise<{ number: string; lid: string | null } | undefined>;
  /** The address of somebody who has written, without asking WhatsApp. */
  recall(number: string): Promise<string>;
};

export function createRecipients({ socket, answers, devices, chats, breaker }: RecipientsOptions): Recipients {
  const lookUps = createLookUps(socket, breaker);
  const underWay = new Map<string, Promise<string | null>>();
  const fetches = new Map<string, Promise<void>>();
  const { lidMapping } = socket.signalRepository;

  async function lookUp(number: string): Promise<string | null> {
    // Known contacts are on WhatsApp: sending to them goes on while nothing can be asked.
    if (breaker.isPaused && (await isKnown(number))) return jidEncode(number, 's.whatsapp.net');
    const jid = await lookUps.find(number);
    answers.set(number, jid);
    return jid;
  }

  async function isKnown(number: string): Promise<boolean> {
    const { [number]: lid } = await socket.authState.keys.get('lid-mapping', [number]);
    return lid !== undefined;
  }

  async function fetchDevices(jid: string, user: string): Promise<void> {
    if (breaker.isPaused && (await recallDevices(jid, user))) return;
    await breaker.run(() => socket.getUSyncDevices([jid], true, false));
    if (!devices.has(user)) throw new Error('WhatsApp named no device of the recipient');
  }

  /** Baileys stores the devices that it was told of last. */
  async function recallDevices(jid: string, user: string): Promise<boolean> {
    const { [user]: numbers } = await socket.authState.keys.get('device-list', [user]);
    const { server } = jidDecode(jid) ?? {};
    if (!numbers) return false;
    void devices.set(
      user,
      numbers.map((number) => ({ user, device: Number(number), server })),
    );
    return true;
  }

  async function ensureDevices(jid: string): Promise<void> {
    const user = jidDecode(jid)?.user ?? '';
    if (!devices.has(user)) await once(fetches, user, () => fetchDevices(jid, user));
  }

  /**
   * By its LID where one is known: what goes to the number of such a contact can be lost with error 463
   * (WhiskeySockets/Baileys#2683).
   */
  async function chooseAddress(jid: string, only?: Address['kind']): Promise<Address | undefined> {
    const known = await lidMapping.getLIDForPN(jid);
    const lid = known ? jidNormalizedUser(known) : undefined;
    const memory = await chats.read([jid, lid].flatMap((address) => jidDecode(address)?.user ?? []));
    const seconds = memory.expiration?.seconds;
    const expiration = seconds ? { expiration: seconds } : {};
    const wanted = only ?? memory.address ?? 'lid';
    if (wanted === 'lid' && lid !== undefined) return { jid: lid, kind: 'lid', ...expiration };
    return only === 'lid' ? undefined : { jid, kind: 'pn', ...expiration };
  }

  /** Of somebody whose number is not known: there is nothing to be looked up. */
  async function addressOfLid(lid: string): Promise<Address> {
    const { expiration } = await chats.read([lid]);
    const jid = jidEncode(lid, 'lid');
    return { jid, kind: 'lid', ...(expiration?.seconds && { expiration: expiration.seconds }) };
  }

  async function prepareDevices(address: Address): Promise<Address> {
    const { user } = socket;
    // A message goes to the account's own other devices too, under the same kind of address.
    const own = address.kind === 'lid' ? (user?.lid ?? user?.id) : user?.id;
    if (own) await ensureDevices(jidNormalizedUser(own));
    await ensureDevices(address.jid);
    return address;
  }

  async function findJid(number: string): Promise<string | null> {
    const known = answers.get(number);
    return known === undefined ? once(underWay, number, () => lookUp(number)) : known;
  }

  return {
    async check(number) {
      const jid = await findJid(number);
      if (jid === null) return undefined;
      const lid = await lidMapping.getLIDForPN(jid);
      return { number: jidDecode(jid)?.user ?? number, lid: jidDecode(lid ?? '')?.user ?? null };
    },
    async recall(number) {
      const jid = answers.get(number) ?? jidEncode(number, 's.whatsapp.net');
      return (await chooseAddress(jid))?.jid ?? jid;
    },
    async prepare(number) {
      const lid = lidOf(number);
      if (lid !== undefined) return prepareDevices(await addressOfLid(lid));
      const jid = await findJid(number);
      if (jid === null) return undefined;
      const address = await chooseAddress(jid);
      return address && prepareDevices(address);
    },
    async findOther(number, refused) {
      if (lidOf(number) !== undefined) return undefined;
      const jid = await findJid(number);
      const other = jid ? await chooseAddress(jid, refused.kind === 'lid' ? 'pn' : 'lid') : undefined;
      return other && prepareDevices(other);
    },
    async remember(number, { kind }) {
      if (lidOf(number) !== undefined) return;
      const user = jidDecode((await findJid(number)) ?? '')?.user;
      if (user !== undefined) await chats.rememberAddress(user, kind);
    },
    async renew({ jid }) {
      const user = jidDecode(jid)?.user ?? '';
      await devices.del(user);
      await ensureDevices(jid);
      const known = (await devices.mget?.<FullJid[]>([user]))?.[user] ?? [];
      await socket.assertSessions(
        known.map(({ device, server }) => jidEncode(user, server === 'lid' ? 'lid' : 's.whatsapp.net', device)),
        true,
      );
    },
  };
}

/** Joins the work that is under way for a key, or starts it. */
function once<T>(underWay: Map<string, Promise<T>>, key: string, start: () => Promise<T>): Promise<T> {
  const joined = underWay.get(key);
  if (joined) return joined;
  const started = start().finally(() => underWay.delete(key));
  underWay.set(key, started);
  return started;
}
