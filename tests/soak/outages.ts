import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '#tests/support/random.ts';
import type { CloseKind, Faults, MessageAnswer } from '#tests/whatsapp/faults.ts';
import type { SoakScene } from './soak-scene.ts';

/** Lasts until it is over; what it did to the stand-in is undone then. */
export type Outage = (scene: SoakScene, random: Random) => Promise<void>;

/** Ways to end a connection after which a phone comes back by itself. */
const endings: readonly CloseKind[] = [
  'replaced',
  'stream_500',
  'stream_503',
  'stream_515',
  'stream_ack',
  'malformed',
  'stream_end',
  'failure_405',
  'failure_418',
  'failure_503',
  'drop',
  'close',
];

export const outages: Readonly<Record<string, Outage>> = {
  'a connection ends': (scene, random) => endSome(scene, random, 1),
  'many connections end at once': (scene, random) => endSome(scene, random, scene.phones.length),
  'connections are refused over HTTP': refusing({ refuseUpgrades: 503 }),
  'logins get no answer': refusing({ answersLogins: false }),
  'WhatsApp is slow': during({ latencyMs: 400 }),
  'pings get no answer': during({ answersPings: false }),
  'questions about numbers fail': during({ lookUpError: 503 }),
  'questions about devices fail': during({ devicesError: 500 }),
  'questions about keys fail': during({ keysError: 503 }),
  'logins are refused': async ({ control, phones }, random) => {
    const { number } = random.pick(phones);
    await control.refuseLogins(number, random.pick([500, 503, 418, 405]));
    await kick(control, number, 'close');
    await delay(1_000 + random.below(2_000));
    await control.refuseLogins(number);
  },
  'an account is locked for a moment': async ({ control, phones }, random) => {
    await control.lockFor(random.pick(phones).number, 2, random.pick([101, 104]));
  },
  'messages break the connection': answering('drop'),
  'messages are lost': answering('lost'),
  'acks are lost': answering('lost_ack'),
  'messages are refused for a moment': async ({ control, phones }, random) => {
    const to = random.pick(random.pick(phones).contacts);
    await control.answerMessages({ to, times: 1, answer: random.pick([429, 479, 500, 503]) });
  },
  'confirmations are lost': async ({ control, phones }, random) => {
    await control.setFaults({ losesConfirmations: true });
    await delay(1_000 + random.below(2_000));
    await control.setFaults(healed);
    for (const { number } of phones) await kick(control, number, 'drop');
  },
  'histories cannot be had': during({ refusesHistories: true }),
  'the product is restarted': ({ restart }) => restart('stop'),
  'the product is killed': ({ restart }) => restart('kill'),
};

function during(faults: Partial<Faults>): Outage {
  return async ({ control }, random) => {
    await control.setFaults(faults);
    await delay(1_000 + random.below(2_000));
    await control.setFaults(healed);
  };
}

/** Faults that connected phones do not notice. */
function refusing(faults: Partial<Faults>): Outage {
  return async (scene, random) => {
    await scene.control.setFaults(faults);
    await endSome(scene, random, Math.ceil(scene.phones.length / 4));
    await delay(1_000 + random.below(2_000));
    await scene.control.setFaults(healed);
  };
}

function answering(answer: MessageAnswer): Outage {
  return async ({ control, phones }, random) => {
    await control.answerMessages({ to: random.pick(random.pick(phones).contacts), times: 1 + random.below(2), answer });
  };
}

async function endSome({ control, phones }: SoakScene, random: Random, most: number): Promise<void> {
  const count = 1 + random.below(most);
  for (let time = 0; time < count; time += 1) await kick(control, random.pick(phones).number, random.pick(endings));
}

/** A phone that is away already is left alone. */
async function kick(control: SoakScene['control'], number: string, kind: CloseKind): Promise<void> {
  if (await control.isConnected(number)) await control.kick(number, kind).catch(() => undefined);
}

const healed = {
  refuseUpgrades: null,
  answersLogins: true,
  latencyMs: 0,
  answersPings: true,
  losesConfirmations: false,
  refusesHistories: false,
  lookUpError: null,
  devicesError: null,
  keysError: null,
} as unknown as Partial<Faults>;

export const heal = ({ control }: SoakScene) => control.setFaults(healed);
