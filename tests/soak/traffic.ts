import { setTimeout as delay } from 'node:timers/promises';
import type { proto } from 'baileys';
import type { Random } from '#tests/support/random.ts';
import type { SoakPhone, SoakScene } from './soak-scene.ts';

/** A message that a contact wrote to a phone, or its owner on the handset; `id` is the network's. */
export type Written = { id: string; type: string; isLate: boolean };

export type Traffic = {
  /** The texts that were accepted for each recipient, in order. */
  sent: Map<string, string[]>;
  /** The messages from each contact, in order. */
  written: Map<string, Written[]>;
  /** The ids of what owners wrote on their handsets, by phone, in order. */
  fromHandset: Map<string, string[]>;
  /** Messages that could not be decrypted on arrival. */
  spoilt: Set<string>;
  /** Ends once what was begun is accepted. */
  stop(): Promise<void>;
};

const mayRefuse = new Set([409, 429, 500, 502, 503]);

/** By the type of the record that each becomes. */
const kinds: readonly { type: string; message?: proto.IMessage }[] = [
  { type: 'text' },
  { type: 'text', message: { extendedTextMessage: { text: 'With a preview' } } },
  { type: 'location', message: { locationMessage: { degreesLatitude: -23.5, degreesLongitude: -46.6 } } },
  {
    type: 'contact',
    message: {
      contactMessage: {
        displayName: 'Ana',
        vcard: 'BEGIN:VCARD\nVERSION:3.0\nFN:Ana\nTEL;waid=5511988887777:+55 11 98888-7777\nEND:VCARD',
      },
    },
  },
  {
    type: 'poll',
    message: { pollCreationMessage: { name: 'Lunch?', options: [{ optionName: 'Yes' }, { optionName: 'No' }] } },
  },
];

const manyChats = ['group', 'newsletter', 'status'] as const;

/** Every phone sends, is written to and writes on its handset at random times. */
export function startTraffic(scene: SoakScene, random: Random, pauseMs: number): Traffic {
  const ending = new AbortController();
  const sent = new Map<string, string[]>();
  const written = new Map<string, Written[]>();
  const fromHandset = new Map<string, string[]>();
  const spoilt = new Set<string>();
  const pause = () => delay(random.below(2 * pauseMs), undefined, { signal: ending.signal }).catch(() => undefined);

  async function send(phone: SoakPhone): Promise<void> {
    for (let index = 0; !ending.signal.aborted; index += 1) {
      const to = random.pick(phone.contacts);
      const text = `out ${index}`;
      await sendUntilAccepted(scene, phone, { to, text });
      add(sent, to, text);
      await pause();
    }
  }

  async function write(phone: SoakPhone): Promise<void> {
    const { number } = phone;
    for (let index = 0; !ending.signal.aborted; index += 1) {
      const from = random.pick(phone.contacts);
      const flood = random.chance(0.1) ? 20 : 1;
      for (let part = 0; part < flood; part += 1) {
        const { type, message } = random.pick(kinds);
        const [isSpoilt, byList] = [random.chance(0.02), random.chance(0.1)];
        const incoming = { from, to: number, text: `in ${index} ${part}`, spoilt: isSpoilt, byList };
        const id = await scene.control.incoming({ ...incoming, ...(message && { message }) });
        if (isSpoilt) spoilt.add(id);
        add(written, from, { id, type, isLate: false });
      }
      await besides(phone, from);
      await pause();
    }
  }

  async function besides({ number }: SoakPhone, contact: string): Promise<void> {
    const { control } = scene;
    if (random.chance(0.1)) await control.toMany(contact, number, random.pick(manyChats));
    if (random.chance(0.05)) {
      const id = await control.unavailable(contact, number, 'view_once_unavailable_fanout');
      add(written, contact, { id, type: 'unsupported', isLate: true });
    }
    if (random.chance(0.05)) {
      const id = await control.unavailable(contact, number, '', 'A lead that came while the handset slept');
      add(written, contact, { id, type: 'text', isLate: true });
    }
    if (random.chance(0.05)) {
      const [earlier, id] = [`9${contact}`, `EARLIER${(lastEarlier += 1)}`];
      const message = {
        id,
        fromMe: false,
        at: Math.floor(Date.now() / 1000) - 3_600,
        message: { conversation: 'Earlier' },
      };
      await control.shareChats(number, [{ number: earlier, messages: [message] }]);
      add(written, earlier, { id, type: 'text', isLate: true });
    }
    if (random.chance(0.1)) add(fromHandset, number, await control.fromHandset(number, contact, 'From the handset'));
  }

  let lastEarlier = 0;
  const loops = scene.phones.flatMap((phone) => [send(phone), write(phone)]);
  return {
    sent,
    written,
    fromHandset,
    spoilt,
    async stop() {
      ending.abort();
      await Promise.all(loops);
    },
  };
}

function add<T>(lists: Map<string, T[]>, who: string, entry: T): void {
  lists.set(who, [...(lists.get(who) ?? []), entry]);
}

/** The same key until it is taken: what was accepted while its answer got lost is not sent again. */
async function sendUntilAccepted(
  scene: SoakScene,
  { authKey, number }: SoakPhone,
  { to, text }: { to: string; text: string },
): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    'x-auth-key': authKey,
    'idempotency-key': `${number} ${text}`,
    prefer: 'respond-async',
  };
  for (;;) {
    const answer = await fetch(`${scene.product().url}/api/send-message`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ to, message: text }),
      signal: AbortSignal.timeout(20_000),
    }).catch(() => undefined);
    if (answer?.status === 200 || answer?.status === 202) return;
    if (answer && !mayRefuse.has(answer.status)) throw new Error(`${answer.status} ${await answer.text()}`);
    await delay(200);
  }
}
