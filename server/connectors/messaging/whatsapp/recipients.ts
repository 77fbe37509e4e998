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
  socket: Pick<WASocket, 'onWhatsApp' | 'getUSyncDevices' | 'user'>;
  answers: NumberAnswers;
  devices: DeviceCache;
};

/**
 * Everything a message needs to know of its recipient, asked before the message takes its turn: Baileys sends one
 * message after the other, and would ask while all others wait.
 */
export type Recipients = {
  /** The address to write to, its devices and keys at hand; undefined when the number is not on WhatsApp. */
  prepare(number: string): Promise<string | undefined>;
};

export function createRecipients({ socket, answers, devices }: RecipientsOptions): Recipients {
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

  return {
    async prepare(number) {
      const known = answers.get(number);
      const jid = known === undefined ? await once(lookUps, number, () => lookUp(number)) : known;
      if (jid === null) return undefined;
      // A message goes to the account's own other devices too.
      if (socket.user) await ensureDevices(jidNormalizedUser(socket.user.id));
      await ensureDevices(jid);
      return jid;
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
