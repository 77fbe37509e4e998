import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { readWebhook } from '#server/connectors/messaging/cloud/read-webhook.ts';
import type { CloudNews } from '#server/connectors/messaging/cloud/news.ts';
import type { Context } from '#server/context.ts';
import { findOfficialPhones, noteWebhook } from '#server/modules/numbers/phones/index.ts';
import { isBlocked, isDataError, isDatabaseUnavailable } from '#server/platform/db/errors.ts';
import { retryConflicts } from '#server/platform/db/retry-conflicts.ts';
import { findExcess } from '#server/platform/http/json-shape.ts';
import { createPolledService } from '#server/platform/polled-service.ts';
import type { Health, Service } from '#server/platform/service.ts';
import { splitBatch } from '#server/platform/split-batch.ts';
import { cloudWebhooksChannel } from './channels.ts';
import { createFaultWatch } from './follow-faults.ts';
import type { FaultWatch } from './follow-faults.ts';
import { settleStatuses } from './settle-statuses.ts';
import type { OfficialPhone } from './settle-statuses.ts';
import { apart, setsOf, takeTogether } from './take-news.ts';
import { maxDepth } from './webhook-calls.ts';
import { claimDue, claimOn, closeWebhooks, giveBack } from './webhook-queue.ts';
import type { Outcome, StatusNews, WebhookRow } from './webhook-queue.ts';

/** So many turns are taken side by side. */
const lanes = 4;
const statusesAtOnce = 500;
const lookAgainMs = 200;
/** A turn that takes longer lets others of its phone pass. */
const longTurnMs = 1_000;
/** Well below the time for which webhooks are claimed: then they are claimed on, and no further one is begun with. */
const turnMs = 5_000;

type Run = { isStopped(): boolean; health: Health; faults: FaultWatch };

/** Works off the webhooks of Meta: much together, and apart where that fails, so that one bad thing spoils no other. */
export function createCloudWebhookService(ctx: Context): Service {
  const faults = createFaultWatch();
  return createPolledService(ctx, {
    name: 'cloud-webhooks',
    channels: [cloudWebhooksChannel],
    pollMs: 5_000,
    failsAfterMs: 60_000,
    work: (run) => workOffDue(ctx, { ...run, faults }),
  });
}

type Lane = { phoneId: number; startedMs: number; turn: Promise<void> };

/** The phones that get no further lane now: their webhooks go in their order, unless a large one takes long. */
function busyPhones(working: ReadonlySet<Lane>): number[] {
  const now = performance.now();
  const ofPhones = Map.groupBy(working, ({ phoneId }) => phoneId);
  return [...ofPhones].flatMap(([phoneId, of]) =>
    of.length > 1 || of.some(({ startedMs }) => now - startedMs < longTurnMs) ? [phoneId] : [],
  );
}

/** A phone with much to do keeps none of the others waiting. */
async function workOffDue(ctx: Context, run: Run): Promise<void> {
  const working = new Set<Lane>();
  const errors: unknown[] = [];
  while (!run.isStopped() && errors.length === 0) {
    const free = lanes - working.size;
    const claimed = free > 0 ? await claimDue(ctx, { phones: free, except: busyPhones(working) }) : [];
    for (const rows of claimed) {
      const { account_id: accountId, phone_id: phoneId } = rows[0]!;
      const turn = takeTurn(ctx, run, { accountId, phoneId, rows })
        .catch((error: unknown) => void errors.push(error))
        .finally(() => working.delete(lane));
      const lane = { phoneId, startedMs: performance.now(), turn };
      working.add(lane);
    }
    if (working.size === 0) return;
    // A run that is under way is not told of webhooks that come for another phone.
    const turns = [...working].map((lane) => lane.turn);
    if (claimed.length === 0) await Promise.race([...turns, delay(lookAgainMs)]);
  }
  await Promise.all([...working].map((lane) => lane.turn));
  if (errors.length > 0) throw errors[0];
}

type OfPhone = { accountId: number; phoneId: number };
type Phones = ReadonlyMap<string, OfficialPhone>;

type Turn = OfPhone & { rows: readonly WebhookRow[] };

/** Throws where the database is away: what is claimed comes due again. Any other fault is that of the webhook it is in. */
async function takeTurn(ctx: Context, run: Run, turn: Turn): Promise<void> {
  const { rows } = turn;
  try {
    await workOff(ctx, run, turn);
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    const [row] = rows;
    if (rows.length === 1 && row) return close(ctx, run.health, [{ row, waiting: [], failed: [error] }]);
    for (const alone of rows) await takeTurn(ctx, run, { ...turn, rows: [alone] });
  }
}

async function workOff(ctx: Context, { isStopped, health, faults }: Run, { rows, ...scope }: Turn): Promise<void> {
  const turnUntil = performance.now() + turnMs;
  let claimedOnAt = turnUntil;
  await noteWebhook(ctx, scope);
  const read: Read[] = [];
  for (const row of rows) {
    read.push({ row, news: row.rest ? (row.rest as StatusNews[]) : readRow(ctx, row) });
    // Meta waits for its answers meanwhile.
    await nextTurn();
  }
  const ids = read.flatMap(({ news }) => news.flatMap((each) => ('phoneNumberId' in each ? [each.phoneNumberId] : [])));
  const phones = await findOfficialPhones(ctx, scope.accountId, [...new Set(ids)]);
  const outcomes = await settleAll(ctx, { health, faults }, { ...scope, phones, read });
  // The next is the last: of a long list the first is not taken away in no time.
  const sets = setsOf(read).toReversed();
  let done = rows.length;
  for (let set = sets.pop(), begun: WebhookRow | undefined; set; set = sets.pop()) {
    const [{ row }] = set;
    const place = rows.indexOf(row);
    if (row !== begun && place > 0 && (isStopped() || performance.now() > turnUntil)) {
      done = place;
      break;
    }
    if (performance.now() > claimedOnAt) {
      await claimOn(ctx, rows.slice(place));
      claimedOnAt = performance.now() + turnMs;
    }
    begun = set.at(-1)?.row;
    try {
      await takeTogether(ctx, { ...scope, phones }, set);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      if (set.length > 1) sets.push(...apart(set, error).toReversed());
      else if (isDataError(error)) health.park('cloud_webhook', error, scope);
      else outcomes.get(row)?.failed.push(error);
    }
  }
  await giveBack(ctx, rows.slice(done));
  await close(
    ctx,
    health,
    rows.slice(0, done).flatMap((row) => outcomes.get(row) ?? []),
  );
}

async function close(ctx: Context, health: Health, outcomes: readonly Outcome[]): Promise<void> {
  const givenUp = await closeWebhooks(ctx, outcomes);
  for (const outcome of outcomes) {
    const { row, failed } = outcome;
    const about = { accountId: row.account_id, phoneId: row.phone_id };
    if (givenUp.includes(outcome)) health.park('cloud_webhook', failed[0], about);
    else if (failed.length > 0) ctx.logger.warn({ err: failed[0], ...about }, 'part of a webhook of Meta failed');
  }
}

type Read = { row: WebhookRow; news: readonly CloudNews[] };
type StatusOfRow = { row: WebhookRow; status: StatusNews };
type Settled = { row: WebhookRow; waiting: StatusNews[]; failed: unknown[] };

/** Settles the statuses of all of them: many in a transaction, and those that cannot be stored apart from the others. */
async function settleAll(
  ctx: Context,
  { health, faults }: Pick<Run, 'health' | 'faults'>,
  { accountId, phoneId, phones, read }: OfPhone & { phones: Phones; read: readonly Read[] },
): Promise<Map<WebhookRow, Settled>> {
  const outcomes = new Map(read.map(({ row }): [WebhookRow, Settled] => [row, { row, waiting: [], failed: [] }]));
  const all = read.flatMap(({ row, news }) =>
    news.flatMap((status): StatusOfRow[] => (status.kind === 'status' ? [{ row, status }] : [])),
  );
  const settle = (part: readonly StatusOfRow[], skipsLocked: boolean) =>
    splitBatch(part, (items) => {
      const statuses = items.map(({ status }) => status);
      return retryConflicts(() => settleStatuses(ctx, { accountId, statuses, phones, skipsLocked, faults }));
    });
  async function note(part: readonly StatusOfRow[]): Promise<void> {
    const first = await settle(part, false);
    const isHeldUp = first.some((result) => result.status === 'rejected' && isBlocked(result.reason));
    const results = isHeldUp ? await settle(part, true) : first;
    for (const [index, result] of results.entries()) {
      const { row, status } = part[index]!;
      const outcome = outcomes.get(row)!;
      if (result.status === 'fulfilled' && result.value) outcome.waiting.push(status);
      if (result.status === 'fulfilled') continue;
      if (isDatabaseUnavailable(result.reason)) throw result.reason;
      if (isDataError(result.reason)) health.park('cloud_webhook', result.reason, { accountId, phoneId });
      else outcome.failed.push(result.reason);
    }
  }
  for (let start = 0; start < all.length; start += statusesAtOnce) await note(all.slice(start, start + statusesAtOnce));
  return outcomes;
}

function readRow(ctx: Context, { body, received_at: at }: WebhookRow): CloudNews[] {
  const json = body.toString('utf8');
  if (findExcess(json, { maxDepth, maxValues: Infinity })) {
    ctx.logger.warn('a webhook of Meta lies too deep in itself');
    return [];
  }
  try {
    return readWebhook(JSON.parse(json), at);
  } catch (error) {
    ctx.logger.warn({ err: error }, 'a webhook of Meta is no JSON');
    return [];
  }
}
