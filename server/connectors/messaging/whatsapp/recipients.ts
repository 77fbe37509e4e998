import { jidDecode, jidNormalizedUser } from 'baileys';
import type { WASocket } from 'baileys';
import type { Clock } from '#server/platform/clock.ts';
import { BoundedMap } from './bounded-map.ts';
import type { DeviceCache } from './device-cache.ts';

const foundMaxAgeMs = 24 * 60 * 60_000;
const notFoundMaxAgeMs = 10 * 60_000;
const maxNumbers = 50_000;

/** What WhatsApp answered about numbers: the address, or null for a number without WhatsApp. */
export type NumberAnswers = {
  get(number: string): string | null | undefined;
  set(number: string, jid: string | null): void;
};

/** One for all phones: whether a number is on WhatsApp does not depend on who asks. */
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
  socket: Pick<WASocket, 'onWhatsApp' | 'getUSyncDevices' | 'user' | 'signalRepository'>;
  /** Contacts that refused one of their addresses: how they are written to since. */
  addressing: AddressBook;
  answers: NumberAnswers;
  devices: DeviceCache;
};

/** Where to write to: `kind` is what the address is made of, the phone number or the LID that stands for it. */
export type Address = { jid: string; kind: 'pn' | 'lid' };

/** How contacts are written to that refused one of their addresses; it outlives a connection. */
export type AddressBook = {
  get(number: string): Address['kind'] | undefined;
  set(number: string, kind: Address['kind']): void;
};

export const createAddressBook = (): AddressBook => new BoundedMap<Address['kind']>(maxNumbers);

/**
 * Everything a message needs to know of its recipient, asked before the message takes its turn: Baileys sends one
 * message after the other, and would ask while all others wait.
 */
export type Recipients = {
  /** The address to write to, its devices and keys at hand; undefined when the number is not on WhatsApp. */
  prepare(number: string): Promise<Address | undefined>;
  /** The contact takes nothing at this address: the other one from now on, where there is one. */
  useOther(number: string, refused: Address): Promise<Address | undefined>;
};

export function createRecipients({ socket, answers, devices, addressing }: RecipientsOptions): Recipients {
  const lookUps = new Map<string, Promise<string | null>>();
  const fetches = new Map<string, Promise<void>>();

  async function lookUp(number: string): Promise<string | null> {
    const results = await socket.onWhatsApp(number);
    if (!results) throw new Error('WhatsApp did not say whether the number has an account');
    // The address may differ from the number that was asked for: Brazilian mobiles lose their ninth digit.
    const found = results.find((result) => result.exists);
    answers.set(number, found?.jid ?? null);
    return found?.jid ?? null;
  }

  async function fetchDevices(jid: string, user: string): Promise<void> {
    await socket.getUSyncDevices([jid], true, false);
    if (!devices.has(user)) throw new Error('WhatsApp named no device of the recipient');
  }

  async function ensureDevices(jid: string): Promise<void> {
    const user = jidDecode(jid)?.user ?? '';
    if (!devices.has(user)) await once(fetches, user, () => fetchDevices(jid, user));
  }

  /**
   * By its LID where one is known: what goes to the number of such a contact can be lost with error 463
   * (WhiskeySockets/Baileys#2683).
   */
  async function chooseAddress(number: string, jid: string, only?: Address['kind']): Promise<Address | undefined> {
    const wanted = only ?? addressing.get(number) ?? 'lid';
    if (wanted === 'pn') return { jid, kind: 'pn' };
    const lid = await socket.signalRepository.lidMapping.getLIDForPN(jid);
    if (lid) return { jid: jidNormalizedUser(lid), kind: 'lid' };
    return only === undefined ? { jid, kind: 'pn' } : undefined;
  }

  async function prepareDevices(address: Address): Promise<Address> {
    const { user } = socket;
    // A message goes to the account's own other devices too, under the same kind of address.
    const own = address.kind === 'lid' ? (user?.lid ?? user?.id) : user?.id;
    if (own) await ensureDevices(jidNormalizedUser(own));
    await ensureDevices(address.jid);
    return address;
  }

  return {
    async prepare(number) {
      const known = answers.get(number);
      const jid = known === undefined ? await once(lookUps, number, () => lookUp(number)) : known;
      if (jid === null) return undefined;
      const address = await chooseAddress(number, jid);
      return address && prepareDevices(address);
    },
    async useOther(number, refused) {
      const jid = answers.get(number);
      if (!jid || addressing.get(number) !== undefined) return undefined;
      const other = await chooseAddress(number, jid, refused.kind === 'lid' ? 'pn' : 'lid');
      if (!other) return undefined;
      addressing.set(number, other.kind);
      return prepareDevices(other);
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
