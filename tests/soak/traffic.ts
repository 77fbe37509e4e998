import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '#tests/support/random.ts';
import type { SoakPhone, SoakScene } from './soak-scene.ts';

export type Traffic = {
  /** What was accepted for each recipient, and what each contact wrote, in order. */
  sent: Map<string, string[]>;
  written: Map<string, string[]>;
  /** Ends once what was begun is accepted. */
  stop(): Promise<void>;
};

const mayRefuse = new Set([409, 429, 500, 502, 503]);

/** Every phone sends, and is written to, at random times. */
export function startTraffic(scene: SoakScene, random: Random, pauseMs: number): Traffic {
  const ending = new AbortController();
  const sent = new Map<string, string[]>();
  const written = new Map<string, string[]>();
  const add = (lists: Map<string, string[]>, who: string, text: string) =>
    lists.set(who, [...(lists.get(who) ?? []), text]);
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
    for (let index = 0; !ending.signal.aborted; index += 1) {
      const from = random.pick(phone.contacts);
      const flood = random.chance(0.1) ? 20 : 1;
      for (let part = 0; part < flood; part += 1) {
        const text = `in ${index} ${part}`;
        await scene.control.incoming({ from, to: phone.number, text, spoilt: random.chance(0.02) });
        add(written, from, text);
      }
      if (random.chance(0.1))
        await scene.control.toMany(from, phone.number, random.pick(['group', 'broadcast', 'status']));
      if (random.chance(0.05)) await scene.control.unavailable(from, phone.number, 'view_once_unavailable_fanout');
      await pause();
    }
  }

  const loops = scene.phones.flatMap((phone) => [send(phone), write(phone)]);
  return {
    sent,
    written,
    async stop() {
      ending.abort();
      await Promise.all(loops);
    },
  };
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
