import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { listPhoneNumbers } from '#contracts/phone-numbers.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { scanPhone } from '#tests/support/scan-phone.ts';
import { startStandIn } from '#tests/whatsapp/client.ts';
import type { StandInControl } from '#tests/whatsapp/control.ts';
import type { Bench } from './bench.ts';
import { cpuTimeMs, processTimeMs } from './cpu-time.ts';
import { alone } from './figures.ts';
import type { Figure } from './figures.ts';
import { median, percentile, runWithCallers } from './measure.ts';
import { eventually, linkProduct } from './whatsapp.ts';

const contacts = 50;
/** As the README says that V8 is told. */
const heapMiB = 288;
const own = '5511900000300';
/** INCOMING=500,1000 is shorter. */
const [steady = 1_000, waiting = 5_000] = (process.env['INCOMING'] ?? '').split(',').filter(Boolean).map(Number);
const contact = (index: number) => String(5_511_980_000_000 + (index % contacts));

/** JSON has no `undefined`. */
const accepting = { refuseUpgrades: null } as unknown as Parameters<StandInControl['setFaults']>[0];

/** Counts the messages that a customer's server was told of. */
async function startReceiver() {
  let received = 0;
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if ((JSON.parse(body) as { type: string }).type === 'message.received') received += 1;
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received: () => received,
    until: (count: number) => eventually(async () => (received >= count ? true : undefined)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const write = (control: StandInControl, count: number, callers: number) =>
  runWithCallers(count, callers, (index) =>
    control.incoming({ from: contact(index), to: own, text: `Message ${index}` }),
  );

/** Messages to a linked number whose project has a webhook, beside the messages that another account sends. */
export async function benchIncoming(bench: Bench): Promise<Figure[]> {
  const { control, url, stop } = await startStandIn();
  await using receiver = await startReceiver();
  await using product = await bench.start({ NODE_OPTIONS: `--max-old-space-size=${heapMiB}` }, url);
  try {
    const customer = await signUpSubscriber(product.url);
    const project = await makeProject(customer, receiver.url);
    await scanPhone(control, customer.api, { projectId: project.id, phone_number: own });
    await eventually(async () => {
      const { body } = await customer.api.call(listPhoneNumbers, { params: { projectId: project.id } });
      return body.data[0]?.is_connected === true ? true : undefined;
    });
    const neighbour = await linkProduct(product, control, '5511900000301');
    await write(control, contacts, 1);
    await receiver.until(contacts);
    const quiet = await runWithCallers(200, 1, neighbour);

    const before = { own: await processTimeMs(product.pid), all: await cpuTimeMs(product.pid, bench.database) };
    await write(control, steady, 8);
    await receiver.until(contacts + steady);
    const ownMs = ((await processTimeMs(product.pid)) - before.own) / steady;
    const allMs = ((await cpuTimeMs(product.pid, bench.database)) - before.all) / steady;

    await control.setFaults({ refuseUpgrades: 503 });
    await control.kick(own, 'close');
    await eventually(async () => ((await control.isConnected(own)) ? undefined : true));
    await write(control, waiting, 8);
    const start = contacts + steady;
    await control.setFaults(accepting);
    await receiver.until(start + 1);
    const began = performance.now();
    const busy: number[] = [];
    let isOver = false;
    const flood = receiver.until(start + waiting).then(() => (isOver = true));
    for (let index = 0; !isOver; index += 1)
      busy.push(...(await runWithCallers(1, 1, () => neighbour(index))).latenciesMs);
    await flood;
    const seconds = (performance.now() - began) / 1000;
    const times = (share: number) => (percentile(busy, share) / percentile(quiet.latenciesMs, share)).toFixed(2);
    return [
      alone('an incoming message with one webhook, of the process', `${ownMs.toFixed(1)} ms`, 'at most 8 ms'),
      alone('the same with the database', `${allMs.toFixed(1)} ms`, '-'),
      alone(`${waiting} messages that waited, with a webhook each`, `${seconds.toFixed(1)} s`, '5,000 in 45 s'),
      alone(
        'beside them, a message that another account sends',
        `${median(busy).toFixed(0)} ms, ${times(0.5)} times, p90 ${times(0.9)} times`,
        'at most 2 times',
        `${median(quiet.latenciesMs).toFixed(0)} ms`,
      ),
      alone(
        `memory after it, with a heap of ${heapMiB} MiB`,
        `${(await product.memoryMiB()).toFixed(0)} MiB`,
        'at most 450 MiB',
      ),
    ];
  } finally {
    await product.stop();
    await stop();
  }
}
