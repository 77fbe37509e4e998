import type { Product } from '#tests/support/product.ts';
import { startStandIn } from '#tests/whatsapp/client.ts';
import { figure } from './figures.ts';
import type { Figure, Pair } from './figures.ts';
import { runWithCallers } from './measure.ts';
import { linkProduct } from './whatsapp.ts';

const callers = 8;
const messagesPerRound = 400;
const rounds = 3;
/** How many linked at the same time. */
const linking = 4;

/** So many linked phones beside the one that sends; IDLE_PHONES=1,50 makes it shorter. */
const stages = (process.env['IDLE_PHONES'] ?? '1,200,1000').split(',').map(Number);

/** One phone sends while others, of other accounts, are linked and idle: against the same phone with the fewest beside it. */
export async function benchIdlePhones(start: (whatsAppUrl: string) => Promise<Product>): Promise<Figure[]> {
  const standIn = await startStandIn();
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
    let alone: number[] | undefined;
    for (const count of stages) {
      const from = idle;
      await runWithCallers(count - from, linking, async (index) => {
        await linkProduct(product, standIn.control, String(5_511_910_000_000 + from + index));
      });
      idle = count;
      const rates: number[] = [];
      for (let round = 0; round < rounds; round += 1) rates.push(await rate());
      alone ??= rates;
      const pairs = rates.map((own, round): Pair => ({ product: own, baseline: alone?.[round] ?? own }));
      const memory = `, ${(await product.memoryMiB()).toFixed(0)} MiB`;
      figures.push(figure(`a phone that sends beside ${count} idle ones, ${callers} callers`, pairs, '0.9', memory));
    }
    return figures;
  } finally {
    await product.stop();
    await standIn.stop();
  }
}
