import { Pool as HttpPool } from 'undici';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Bench } from './bench.ts';
import { figure, measurePairs } from './figures.ts';
import type { Figure } from './figures.ts';
import { runWithCallers } from './measure.ts';
import { makeSender, postMessages } from './messages.ts';

const rounds = 4;
const singles = 2_000;
const batches = 10;
const linesPerBatch = 1_000;

/** Messages accepted a second in batches, beside those accepted one by one; no worker sends either. */
export async function benchBatches(bench: Bench): Promise<Figure[]> {
  const sender = await (async () => {
    await using product = await bench.start({});
    return await makeSender(product.url);
  })();
  await using product = await bench.start({ ROLES: 'api' });
  const pairs = await measurePairs(rounds, async () => {
    // Each round has a project of its own: of one, so many may wait.
    const customer = await signUpSubscriber(product.url);
    const { auth_key: authKey } = await makeProject(customer);
    const single = await postMessages(product.url, sender.authKey, singles);
    const inBatches = await postBatches(product.url, authKey);
    return { product: (batches * linesPerBatch) / inBatches.seconds, baseline: singles / single.seconds };
  });
  return [figure('POST /api/messages/batch of 1,000, 2 callers, beside single sends of 32', pairs, '3')];
}

async function postBatches(url: string, authKey: string) {
  const http = new HttpPool(url, { connections: 2 });
  try {
    return await runWithCallers(batches, 2, async (index) => {
      const messages = Array.from({ length: linesPerBatch }, (_, line) => ({
        to: `1415555${1002 + ((index * linesPerBatch + line) % 8000)}`,
        message: 'Hello from the benchmark',
      }));
      const { statusCode, body } = await http.request({
        method: 'POST',
        path: '/api/messages/batch',
        headers: { 'content-type': 'application/json', 'x-auth-key': authKey },
        body: JSON.stringify({ messages }),
      });
      const text = await body.text();
      if (statusCode !== 202) throw new Error(`The product answered ${statusCode}: ${text}`);
    });
  } finally {
    await http.close();
  }
}
