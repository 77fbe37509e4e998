import { stepOfDay } from '#server/modules/numbers/health/index.ts';
import { createRandom } from '#tests/support/random.ts';
import { Judge } from './judge.ts';
import type { Rules } from './judge.ts';
import type { World } from './worlds.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const months = 12;

/**
 * How many first contacts a number brings to the end of its month, on average, whose sender knows every rule of the judge and
 * sees each lock coming: the same warm-up and rest of the first day, no night, no pause for a person. Where the answers of
 * chance have fallen too low, it can do nothing but stop, as anybody.
 */
export function knowingSender(world: World, rules: Rules, { days, seed }: { days: number; seed: number }): number {
  const random = createRandom(seed);
  const unit = () => random.below(1_000_000) / 1_000_000;

  function playMonth(): number {
    const judge = new Judge(rules);
    let sent = 0;
    for (let day = 1; day < days; day += 1) {
      const most = stepOfDay(day + 1).first;
      for (let place = 0; place < most; place += 1) {
        const at = day * dayMs + Math.floor((place * dayMs) / most);
        const isDelivered = unit() < world.delivered;
        const isAnswered = isDelivered && unit() < world.answers;
        const first = {
          at,
          text: `${at}`,
          deliveredAt: isDelivered ? at + 5_000 : Infinity,
          answeredAt: isAnswered ? at + minuteMs + unit() * 8 * hourMs : Infinity,
        };
        if (judge.wouldRefuse(first)) continue;
        judge.takeNew(first);
        sent += 1;
      }
    }
    return sent;
  }

  return Array.from({ length: months }, playMonth).reduce((sum, sent) => sum + sent, 0) / months;
}
