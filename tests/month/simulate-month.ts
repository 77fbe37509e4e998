import {
  createVirtualPhone,
  newHealth,
  noFates,
  noHistory,
  timeToAnswerMs,
} from '#server/modules/numbers/health/index.ts';
import type { VirtualPhone } from '#server/modules/numbers/health/index.ts';
import { createRandom } from '#tests/support/random.ts';
import { drawRules, Judge } from './judge.ts';
import type { FirstContact } from './judge.ts';
import { knowingSender } from './knowing-sender.ts';
import type { World } from './worlds.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const start = new Date('2026-03-02T08:00:00Z');
const timeZone = 'Europe/London';
const countries = ['GB', 'DE', 'BR', 'US', 'IN'];
const capAskedEveryMs = 6 * hourMs;
/** Somebody looks at paused campaigns then, and resumes them whatever they say (UTC). */
const resumesAtHour = 9;

export type Scenario = { world: World; newPerDay: number; isProtected: boolean; tellsCap: boolean };

export type MonthFigures = {
  sentFirst: number;
  sentKnown: number;
  /** Of what a sender could send who knows every rule of the judge. */
  ofKnowing: number;
  bans: number;
  /** Of the number that was locked most. */
  mostLocks: number;
  refused: number;
  busiestDay: number;
  /** The reasons for locks, and the reasons that the product gave for waiting, the most frequent first. */
  causes: string[];
  waitedFor: string[];
};

type Sent = { at: number; deliveredAt: number; answeredAt: number; optedOutAt: number };
type Line = {
  phone: VirtualPhone;
  judge: Judge;
  known: number;
  nextMs: number;
  askCapMs: number;
  sent: Sent[];
  firsts: Sent[];
};

/** Three numbers, linked on the first day, under a campaign of 20,000: a third of them has written to one before. */
export function simulateMonth(
  { world, newPerDay, isProtected, tellsCap }: Scenario,
  { people = 20_000, days = 30, seed = 7 } = {},
): MonthFigures {
  const random = createRandom(seed);
  const unit = () => random.below(1_000_000) / 1_000_000;
  const queue = new Map(countries.map((country) => [country, 0]));
  const knownOf = [0, 0, 0];
  for (let person = 0; person < people; person += 1) {
    if (random.chance(1 / 3)) {
      const index = random.below(3);
      knownOf[index] = (knownOf[index] ?? 0) + 1;
    } else {
      const country = random.pick(countries);
      queue.set(country, (queue.get(country) ?? 0) + 1);
    }
  }
  const rules = drawRules(random, newPerDay);
  const endMs = start.getTime() + days * dayMs;
  const figures = { sentFirst: 0, sentKnown: 0 };
  const waits = new Map<string, number>();
  /** While the campaign waits for a person, and since when its first contacts are judged. */
  let pausedUntil = 0;
  let judgedFrom = 0;

  const lines = knownOf.map((known): Line => {
    const sent: Sent[] = [];
    const firsts: Sent[] = [];
    const sender = { health: { ...newHealth, isProtected }, fates: noFates, history: noHistory, maxDaily: 1_000 };
    const phone: VirtualPhone = createVirtualPhone(
      { ...sender, startsAt: start },
      {
        timeZone,
        random: unit,
        fatesAt: (now) => fatesOf({ sent, firsts }, now.getTime(), phone.health.judgedFrom?.getTime()),
      },
    );
    phone.take({ kind: 'linked' }, start);
    return { phone, judge: new Judge(rules), known, nextMs: start.getTime(), askCapMs: start.getTime(), sent, firsts };
  });

  function noteSent({ sent, firsts, phone }: Line, isFirst: boolean, now: number): FirstContact {
    phone.send(isFirst ? 'first' : 'known', new Date(now));
    const isDelivered = unit() < (isFirst ? world.delivered : 0.98);
    const isAnswered = isDelivered && unit() < (isFirst ? world.answers : 0.2);
    const isOut = isDelivered && !isAnswered && isFirst && unit() < world.optOuts;
    const soon = () => now + minuteMs + unit() * 8 * hourMs;
    const deliveredAt = isDelivered ? now + 5_000 : Infinity;
    const answeredAt = isAnswered ? soon() : Infinity;
    const entry = { at: now, deliveredAt, answeredAt, optedOutAt: isOut ? soon() : Infinity };
    sent.push(entry);
    if (isFirst) firsts.push(entry);
    return { at: now, deliveredAt, answeredAt, text: world.isAlike ? 'same' : `${now}` };
  }

  function pause(now: number): void {
    const morning = new Date(now);
    morning.setUTCHours(resumesAtHour, 0, 0, 0);
    pausedUntil = morning.getTime() > now ? morning.getTime() : morning.getTime() + dayMs;
    judgedFrom = pausedUntil;
    waits.set('a person', (waits.get('a person') ?? 0) + (pausedUntil - now) / hourMs);
  }

  /** As the product judges a campaign: under 3 % of its last 50 first contacts that had the time to answer. */
  function isHardlyAnswered(now: number): boolean {
    const firsts = lines
      .flatMap((line) => lastOf(line.firsts, 50, ({ at }) => at < now - timeToAnswerMs, judgedFrom))
      .toSorted((a, b) => a.at - b.at)
      .slice(-50);
    return firsts.length === 50 && firsts.filter(({ answeredAt }) => answeredAt < now).length < 0.03 * 50;
  }

  function sendFirst(line: Line, country: string, now: Date): void {
    const { phone, judge } = line;
    const isCanary = phone.health.recovery?.step === 'canary';
    if (isCanary) phone.take({ kind: 'canary_sent' }, now);
    const first = noteSent(line, true, now.getTime());
    if (judge.takeNew(first) === 'refused') {
      line.sent.pop();
      line.firsts.pop();
      phone.take({ kind: 'refused', contact: 'first', knownRefused: 0, timeLock: judge.timeLock(now) }, now);
      if (isProtected && judge.timeLock(now).isActive) pause(now.getTime());
      return;
    }
    if (isCanary) phone.take({ kind: 'canary_delivered' }, now);
    queue.set(country, (queue.get(country) ?? 0) - 1);
    figures.sentFirst += 1;
    if (isProtected && figures.sentFirst % 5 === 0 && isHardlyAnswered(now.getTime())) pause(now.getTime());
  }

  /** When to ask again, in ms. */
  function sendOne(line: Line, now: Date): number {
    const { phone } = line;
    const soonest = now.getTime() + 1_000;
    if (pausedUntil > now.getTime()) return pausedUntil;
    let nextMs = now.getTime() + hourMs;
    if (line.known > 0) {
      const verdict = phone.ask({ contact: 'known', country: 'GB', mustWriteFirst: false }, now);
      if (verdict.kind === 'now') {
        noteSent(line, false, now.getTime());
        line.known -= 1;
        figures.sentKnown += 1;
        return soonest;
      }
      if (verdict.kind === 'later') nextMs = Math.min(nextMs, verdict.at.getTime());
    }
    for (const [country, count] of queue) {
      if (count === 0) continue;
      const verdict = phone.ask({ contact: 'first', country, mustWriteFirst: false }, now);
      if (verdict.kind === 'later') {
        nextMs = Math.min(nextMs, verdict.at.getTime());
        if (verdict.why !== 'gap') waits.set(verdict.why, (waits.get(verdict.why) ?? 0) + 1 / 60);
      }
      if (verdict.kind !== 'now') continue;
      sendFirst(line, country, now);
      return soonest;
    }
    return Math.max(nextMs, soonest);
  }

  for (;;) {
    const line = lines.reduce((first, other) => (other.nextMs < first.nextMs ? other : first));
    if (line.nextMs >= endMs) break;
    const now = new Date(line.nextMs);
    if (line.judge.isBanned) {
      line.nextMs = endMs;
      continue;
    }
    if (tellsCap && line.nextMs >= line.askCapMs) {
      const cap = line.judge.cap(now);
      line.phone.take({ kind: 'cap', status: null, ...cap }, now);
      line.askCapMs = Math.min(now.getTime() + capAskedEveryMs, cap.endsAt.getTime() + minuteMs);
    }
    const next = sendOne(line, now);
    line.nextMs = tellsCap ? Math.min(next, Math.max(line.askCapMs, now.getTime() + 1_000)) : next;
  }
  const judges = lines.map(({ judge }) => judge);
  const most = lines.length * knowingSender(world, rules, { days, seed });
  return {
    ...figures,
    ofKnowing: Math.round((figures.sentFirst / most) * 100) / 100,
    bans: judges.filter(({ isBanned }) => isBanned).length,
    mostLocks: Math.max(...judges.map(({ locks }) => locks)),
    refused: judges.reduce((sum, { refused }) => sum + refused, 0),
    busiestDay: Math.max(...judges.map(({ busiestDay }) => busiestDay)),
    causes: [...new Set(judges.flatMap(({ causes }) => causes))],
    waitedFor: [...waits].toSorted((a, b) => b[1] - a[1]).map(([why]) => why),
  };
}

const weekMs = 7 * dayMs;

/** As the product counts them of its sends; each walks back from the last one. */
function fatesOf({ sent, firsts }: Pick<Line, 'sent' | 'firsts'>, now: number, judgedFrom = 0) {
  const isOld = ({ at }: Sent) => at < now - hourMs;
  const settled = lastOf(sent, 30, isOld, judgedFrom);
  const deliveredOf = (last: readonly Sent[]) => ({
    count: last.length,
    delivered: last.filter(({ deliveredAt }) => deliveredAt < now).length,
  });
  const judged = lastOf(firsts, 50, ({ at }) => at < now - timeToAnswerMs);
  const lately = lastOf(sent, 50, () => true, now - weekMs);
  return {
    last30: deliveredOf(settled),
    last10: deliveredOf(settled.slice(0, 10)),
    firsts: { count: judged.length, answered: judged.filter(({ answeredAt }) => answeredAt < now).length },
    lately: { count: lately.length, optedOut: lately.filter(({ optedOutAt }) => optedOutAt < now).length },
    firstsOfDay: lastOf(firsts, Infinity, () => true, now - dayMs + 1).length,
  };
}

/** The newest first. */
function lastOf(sent: readonly Sent[], most: number, isCounted: (each: Sent) => boolean, from = 0): Sent[] {
  const found: Sent[] = [];
  for (let index = sent.length - 1; index >= 0 && found.length < most; index -= 1) {
    const each = sent[index];
    if (each === undefined || each.at < from) break;
    if (isCounted(each)) found.push(each);
  }
  return found;
}
