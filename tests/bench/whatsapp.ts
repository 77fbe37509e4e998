import { setTimeout as delay } from 'node:timers/promises';
import { Pool as HttpPool } from 'undici';
import { listPhoneNumbers } from '#contracts/phone-numbers.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Product } from '#tests/support/product.ts';
import { scanPhone } from '#tests/support/scan-phone.ts';
import { startStandIn } from '#tests/whatsapp/client.ts';
import type { StandInControl } from '#tests/whatsapp/control.ts';
import { startServer } from './baselines.ts';
import { alone, figure } from './figures.ts';
import type { Figure, Pair } from './figures.ts';
import { median, percentile, runWithCallers } from './measure.ts';

const rounds = 3;
const messagesPerRound = 400;
const contacts = 50;

/** Sends a message and answers once WhatsApp has taken it. */
type Sender = (index: number) => Promise<unknown>;

export async function eventually<T>(find: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    await delay(50);
  }
}

export const recipient = (index: number) => String(5_511_970_000_000 + (index % contacts));

/** A JSON answer; throws on any but 200 and 201. Bytes go as they are. */
export async function post(
  http: HttpPool,
  path: string,
  headers: Record<string, string>,
  content: object,
): Promise<unknown> {
  const { statusCode, body } = await http.request({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.isBuffer(content) ? content : JSON.stringify(content),
  });
  const text = await body.text();
  if (statusCode !== 200 && statusCode !== 201) throw new Error(`${path} answered ${statusCode}: ${text}`);
  return JSON.parse(text);
}

type Link = { product: Product; control: StandInControl; numbers: readonly string[] };

/** A customer's linked phones, without protection: what sends with their project's key, and the project. */
export async function linkPhones({ product, control, numbers }: Link): Promise<{ http: HttpPool; key: string }> {
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer);
  const params = { projectId: project.id };
  const unprotected = { max_daily_messages: 1_000_000, protection: { is_protected: false } };
  for (const number of numbers) {
    await scanPhone(control, customer.api, { ...params, phone_number: number, ...unprotected });
  }
  await eventually(async () => {
    const { body: phones } = await customer.api.call(listPhoneNumbers, { params });
    return phones.data.filter((phone) => phone.is_connected).length === numbers.length ? true : undefined;
  });
  return { http: new HttpPool(product.url, { connections: 64 }), key: project.auth_key };
}

export async function linkProduct(product: Product, control: StandInControl, number: string): Promise<Sender> {
  const { http, key } = await linkPhones({ product, control, numbers: [number] });
  const headers = { 'x-auth-key': key };
  return (index) =>
    post(http, '/api/send-message', headers, { to: recipient(index), message: 'Hello from the benchmark' });
}

type BareBaileys = {
  /** Answers what sends through the phone. */
  link(number: string): Promise<Sender>;
  /** Answers where the linked phone's session is asked. */
  open(number: string): Promise<{ http: HttpPool; path: string }>;
  memoryMiB(): Promise<number>;
  stop(): Promise<void>;
};

/** `database`: where it commits what a crash must not lose; without one it keeps all in memory. */
export async function startBareBaileys(url: string, control: StandInControl, database?: string): Promise<BareBaileys> {
  const { url: address, stop } = await startServer(
    new URL('./bare-baileys.ts', import.meta.url),
    database === undefined ? [url] : [url, database],
  );
  const ask = async <T>(path: string) => (await (await fetch(`${address}/${path}`)).json()) as T;
  const http = new HttpPool(address, { connections: 64 });
  async function open(number: string) {
    const { index: session } = await ask<{ index: number }>('open');
    const state = () => ask<{ qr?: string; isOpen: boolean }>(`${session}/state`);
    await control.scan(await eventually(async () => (await state()).qr), number);
    await eventually(async () => ((await state()).isOpen ? true : undefined));
    return { http, path: `/${session}` };
  }
  return {
    open,
    async link(number) {
      const { path } = await open(number);
      return (index) => post(http, `${path}/send`, {}, { to: recipient(index), text: 'Hello from the benchmark' });
    },
    memoryMiB: async () => (await ask<{ bytes: number }>('memory')).bytes / 2 ** 20,
    stop,
  };
}

const wanted: Readonly<Record<number, string>> = { 1: '0.4', 8: '0.6', 32: '0.6' };

/** Sends the messages one after the other, by the phones in turn. */
const inTurn =
  (senders: readonly Sender[]): Sender =>
  (index) =>
    (senders[index % senders.length] as Sender)(Math.floor(index / senders.length));

type Senders = { product: readonly Sender[]; bare: readonly Sender[]; durable: readonly Sender[] };

/** All against one stand-in, in turn; every contact is known before the first figure. */
async function benchCallers({ product, bare, durable }: Senders, callers: number): Promise<Figure[]> {
  const pairs: Pair[] = [];
  const durablePairs: Pair[] = [];
  const latenciesMs: number[] = [];
  const rate = async (send: Sender) => {
    const run = await runWithCallers(messagesPerRound, callers, send);
    return { perSecond: messagesPerRound / run.seconds, latenciesMs: run.latenciesMs };
  };
  for (let round = 0; round < rounds; round += 1) {
    const baseline = await rate(inTurn(bare));
    const own = await rate(inTurn(product));
    pairs.push({ product: own.perSecond, baseline: baseline.perSecond });
    latenciesMs.push(...own.latenciesMs);
    if (durable.length === product.length) {
      const committing = await rate(inTurn(durable));
      durablePairs.push({ product: own.perSecond, baseline: committing.perSecond });
    }
  }
  const what = `WhatsApp, send-message waits for the ack, phones: ${product.length}, callers: ${callers}`;
  const p50 = `, p50 ${median(latenciesMs).toFixed(0)} ms, p99 ${percentile(latenciesMs, 0.99).toFixed(0)} ms`;
  const besideBare = figure(what, pairs, wanted[callers] ?? '-', p50);
  if (durablePairs.length === 0) return [besideBare];
  return [besideBare, figure('the same beside bare Baileys that commits message, keys and outcome', durablePairs, '-')];
}

/** Against the stand-in for WhatsApp: the product beside Baileys as it comes. */
export async function benchWhatsApp(
  start: (whatsAppUrl: string) => Promise<Product>,
  database: string,
): Promise<Figure[]> {
  const standIn = await startStandIn();
  const product = await start(standIn.url);
  const bare = await startBareBaileys(standIn.url, standIn.control);
  const durable = await startBareBaileys(standIn.url, standIn.control, database);
  const figures: Figure[] = [];
  const all: Record<keyof Senders, Sender[]> = { product: [], bare: [], durable: [] };
  async function linkUpTo(phones: number): Promise<void> {
    for (let index = all.product.length; index < phones; index += 1) {
      all.product.push(await linkProduct(product, standIn.control, String(5_511_900_000_100 + index)));
      all.bare.push(await bare.link(String(5_511_900_000_200 + index)));
    }
  }
  async function benchAll(): Promise<void> {
    for (const send of Object.values(all).flat()) await runWithCallers(contacts, 8, send);
    for (const callers of [1, 8, 32]) figures.push(...(await benchCallers(all, callers)));
  }
  try {
    await linkUpTo(1);
    all.durable.push(await durable.link('5511900000300'));
    const idleMiB = { product: await product.memoryMiB(), bare: await bare.memoryMiB() };
    await benchAll();
    const loadedMiB = { product: await product.memoryMiB(), bare: await bare.memoryMiB() };
    figures.push(
      alone(
        'memory with one WhatsApp phone, linked / after the load',
        `${idleMiB.product.toFixed(0)} / ${loadedMiB.product.toFixed(0)} MiB`,
        'at most 228 MiB linked',
        `${idleMiB.bare.toFixed(0)} / ${loadedMiB.bare.toFixed(0)} MiB`,
      ),
    );
    await linkUpTo(10);
    await benchAll();
    return figures;
  } finally {
    await bare.stop();
    await durable.stop();
    await product.stop();
    await standIn.stop();
  }
}
