import { createVirtualPhone, newHealth, noFates, noHistory } from '#server/modules/numbers/health/index.ts';
import type { VirtualPhone } from '#server/modules/numbers/health/index.ts';
import { createRandom } from '#tests/support/random.ts';
import { createNetworkModel } from './network-model.ts';
import type { NetworkModel } from './network-model.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const start = new Date('2026-03-02T08:00:00Z');
const timeZone = 'Europe/London';
const countries = ['GB', 'DE', 'BR', 'US', 'IN'];
/** How many new chats a day the network bears. */
const dailyLimit = 30;
const capAskedEveryMs = 6 * hourMs;
/** The share of first contacts who answer. */
const answeringShare = 0.2;

export type Scenario = { isProtected: boolean; tellsCap: boolean };

export type MonthFigures = {
  sentFirst: number;
  sentKnown: number;
  locks: number;
  refused: number;
  busiestDay: number;
  /** Messages to somebody new in the last week: what a phone that recovers can do. */
  lastWeekFirst: number;
  /** How many of the contacts are left at the end. */
  left: number;
};

type Queue = { known: number; first: Map<string, number> };
type Line = { phone: VirtualPhone; network: NetworkModel; known: number; nextMs: number; askCapMs: number };

/** Three numbers, linked on the first day, under a campaign of 20,000: a third of them has written to one before. */
export function simulateMonth({ isProtected, tellsCap }: Scenario, { people = 20_000, days = 30, seed = 7 } = {}) {
  const random = createRandom(seed);
  const figures = { sentFirst: 0, sentKnown: 0, lastWeekFirst: 0 };
  const queue: Queue = { known: 0, first: new Map(countries.map((country) => [country, 0])) };
  const knownOf = [0, 0, 0];
  for (let person = 0; person < people; person += 1) {
    if (random.chance(1 / 3)) {
      const index = random.below(3);
      knownOf[index] = (knownOf[index] ?? 0) + 1;
    } else {
      const country = random.pick(countries);
      queue.first.set(country, (queue.first.get(country) ?? 0) + 1);
    }
  }
  const lines = knownOf.map((known): Line => {
    const answered = Math.round(50 * answeringShare);
    const sender = {
      health: { ...newHealth, isProtected },
      fates: { ...noFates, firsts: { count: 50, answered } },
      history: noHistory,
      maxDaily: 1_000,
    };
    const phone = createVirtualPhone(
      { ...sender, startsAt: start },
      { timeZone, random: () => random.below(1_000) / 1_000 },
    );
    phone.take({ kind: 'linked' }, start);
    return {
      phone,
      network: createNetworkModel(dailyLimit),
      known,
      nextMs: start.getTime(),
      askCapMs: start.getTime(),
    };
  });
  const endMs = start.getTime() + days * dayMs;

  function sendOne(line: Line, now: Date): number | 'sent' {
    const { phone } = line;
    let nextMs = now.getTime() + hourMs;
    if (line.known > 0) {
      const verdict = phone.ask({ contact: 'known', country: 'GB', mustWriteFirst: false }, now);
      if (verdict.kind === 'now') {
        phone.send('known', now);
        line.known -= 1;
        figures.sentKnown += 1;
        return 'sent';
      }
      if (verdict.kind === 'later') nextMs = Math.min(nextMs, verdict.at.getTime());
    }
    for (const [country, count] of queue.first) {
      if (count === 0) continue;
      const verdict = phone.ask({ contact: 'first', country, mustWriteFirst: false }, now);
      if (verdict.kind === 'later') nextMs = Math.min(nextMs, verdict.at.getTime());
      if (verdict.kind !== 'now') continue;
      return sendFirst(line, country, now);
    }
    return nextMs;
  }

  function sendFirst({ phone, network }: Line, country: string, now: Date): 'sent' {
    const isCanary = phone.health.recovery?.step === 'canary';
    if (isCanary) phone.take({ kind: 'canary_sent' }, now);
    phone.send('first', now);
    if (network.takeNew(now) === 'refused') {
      phone.take({ kind: 'refused', contact: 'first', knownRefused: 0, timeLock: network.timeLock(now) }, now);
      return 'sent';
    }
    if (isCanary) phone.take({ kind: 'canary_delivered' }, now);
    queue.first.set(country, (queue.first.get(country) ?? 0) - 1);
    figures.sentFirst += 1;
    if (now.getTime() >= endMs - 7 * dayMs) figures.lastWeekFirst += 1;
    return 'sent';
  }

  function askCap(line: Line, now: Date): void {
    const cap = line.network.cap(now);
    line.phone.take({ kind: 'cap', status: null, ...cap }, now);
    line.askCapMs = Math.min(now.getTime() + capAskedEveryMs, cap.endsAt.getTime() + minuteMs);
  }

  for (;;) {
    const line = lines.reduce((first, other) => (other.nextMs < first.nextMs ? other : first));
    if (line.nextMs >= endMs) break;
    const now = new Date(line.nextMs);
    if (tellsCap && line.nextMs >= line.askCapMs) askCap(line, now);
    const next = sendOne(line, now);
    // A network round trip lies between two messages at the least.
    line.nextMs = next === 'sent' ? line.nextMs + 1_000 : Math.max(next, line.nextMs + 1_000);
    if (tellsCap) line.nextMs = Math.min(line.nextMs, Math.max(line.askCapMs, now.getTime() + 1_000));
  }
  const sum = (of: (line: Line) => number) => lines.reduce((total, line) => total + of(line), 0);
  return {
    ...figures,
    locks: sum(({ network }) => network.locks),
    refused: sum(({ network }) => network.refused),
    busiestDay: Math.max(...lines.map(({ network }) => network.busiestDay)),
    left: sum(({ known }) => known) + [...queue.first.values()].reduce((total, count) => total + count, 0),
  } satisfies MonthFigures;
}
