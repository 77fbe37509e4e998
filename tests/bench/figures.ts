import { median } from './measure.ts';

/** A line of the report. */
export type Figure = { what: string; product: string; baseline: string; ratio: string; atLeast: string };

/** The results of the product and the baseline in the same round, per second. */
export type Pair = { product: number; baseline: number };

const perSecond = (rate: number) => `${Math.round(rate)}/s`;
const ratioOf = (pairs: readonly Pair[]) => median(pairs.map(({ product, baseline }) => product / baseline)).toFixed(2);

/** The medians of some rounds. `more` is told beside the product's rate. */
export function figure(what: string, pairs: readonly Pair[], atLeast: string, more = ''): Figure {
  return {
    what,
    product: perSecond(median(pairs.map(({ product }) => product))) + more,
    baseline: perSecond(median(pairs.map(({ baseline }) => baseline))),
    ratio: ratioOf(pairs),
    atLeast,
  };
}

export const alone = (what: string, product: string, atLeast: string, baseline = '-'): Figure => ({
  what,
  product,
  baseline,
  ratio: '-',
  atLeast,
});

/** The two in turn, so that a change in the machine's speed meets both; the first pair warms up and is left out. */
export async function measurePairs(rounds: number, measure: () => Promise<Pair>): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let round = 0; round <= rounds; round += 1) pairs.push(await measure());
  return pairs.slice(1);
}
