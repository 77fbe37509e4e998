import type { Product } from '#tests/support/product.ts';
import { startStandIn } from '#tests/whatsapp/client.ts';
import { alone, figure } from './figures.ts';
import type { Figure, Pair } from './figures.ts';
import { runWithCallers } from './measure.ts';
import { linkPhones, linkProduct, startBareBaileys } from './whatsapp.ts';

const callers = 8;
const messagesPerRound = 400;
const rounds = 3;
/** Accounts that link phones at the same time. */
const linking = 4;
/** As many as 1,000 sign-ups from one address are refused. */
const phonesOfAccount = 10;

/** So many linked phones beside the one that sends, with which a process has as many as it takes; IDLE_PHONES=1,50 is shorter. */
const stages = (process.env['IDLE_PHONES'] ?? '1,100,200,999').split(',').map(Number);

/** From so many on, what the process itself takes is shared by enough of them to say what one costs. */
const enoughForMemory = 100;

/** With one linked phone that does nothing. */
async function memoryOfBareBaileys({ url, control }: Awaited<ReturnType<typeof startStandIn>>): Promise<number> {
  const bare = await startBareBaileys(url, control);
  try {
    await bare.link('5511900000009');
    return await bare.memoryMiB();
  } finally {
    await bare.stop();
  }
}

/**
 * Measures a phone that sends while others, of other accounts, are linked and idle, against the same phone with the
 * fewest beside it.
 */
export async function benchIdlePhones(start: (whatsAppUrl: string) => Promise<Product>): Promise<Figure[]> {
  const standIn = await startStandIn();
  const baseMiB = await memoryOfBareBaileys(standIn);
  const product = await start(standIn.url);
  try {
    const send = await linkProduct(product, standIn.control, '5511900000000');
    const rate = async () => {
      const { seconds } = await runWithCallers(messagesPerRound, callers, send);
      return messagesPerRound / seconds;
    };
    await runWithCallers(messagesPerRound, callers, send);
    const figures: Figure[] = [];
    let idle = 0;
    let fewest: number[] | undefined;
    for (const count of stages) {
      const from = 5_511_910_000_000 + idle;
      const numbers = Array.from({ length: count - idle }, (_, index) => String(from + index));
      await runWithCallers(Math.ceil(numbers.length / phonesOfAccount), linking, async (index) => {
        const ofAccount = numbers.slice(index * phonesOfAccount, (index + 1) * phonesOfAccount);
        await linkPhones({ product, control: standIn.control, numbers: ofAccount });
      });
      idle = count;
      const rates: number[] = [];
      for (let round = 0; round < rounds; round += 1) rates.push(await rate());
      fewest ??= rates;
      const pairs = rates.map((own, round): Pair => ({ product: own, baseline: fewest?.[round] ?? own }));
      const memoryMiB = await product.memoryMiB();
      const what = `a phone that sends beside ${count} idle ones, ${callers} callers`;
      figures.push(figure(what, pairs, '0.9', `, ${memoryMiB.toFixed(0)} MiB`));
      if (count < enoughForMemory) continue;
      const perPhone = `${((memoryMiB - baseMiB) / count).toFixed(1)} MiB`;
      const over = `memory of each of ${count} idle phones, over bare Baileys with one`;
      figures.push(alone(over, perPhone, 'at most 4 MiB', `${baseMiB.toFixed(0)} MiB in all`));
    }
    return figures;
  } finally {
    await product.stop();
    await standIn.stop();
  }
}
