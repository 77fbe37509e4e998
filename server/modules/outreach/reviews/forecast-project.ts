import { isSimulated } from '#contracts/connectors.ts';
import type { SendingForecast } from '#contracts/reviews.ts';
import type { AccountContext } from '#server/context.ts';
import { forecast, forecastUnpaced, loadSenders, momentOf } from '#server/modules/numbers/health/index.ts';
import type { Forecast, RecipientGroup } from '#server/modules/numbers/health/index.ts';
import {
  findPortfolios,
  findRotationPhones,
  findThroughputs,
  messagesToday,
  phonesThatCarry,
} from '#server/modules/numbers/phones/index.ts';
import type { CarriedContent, Portfolio, RotationPhone } from '#server/modules/numbers/phones/index.ts';
import type { BoundSource } from '#server/modules/messaging/whatsapp-templates/index.ts';
import { findWaitingReason } from '#server/modules/outreach/recipients/index.ts';

type ForecastProject = {
  projectId: number;
  groups: readonly RecipientGroup[];
  startsAt: Date;
  /** The span of its spreading, or the sum of its delays: sending takes that long at least. */
  leastMs: number;
  /** A WhatsApp template, which not every phone may carry. */
  bound: BoundSource | null;
};

/** When a project has written to all of these, over the phones that may send now. */
export async function forecastProject(
  ctx: AccountContext,
  { projectId, groups, startsAt, leastMs, bound }: ForecastProject,
): Promise<SendingForecast> {
  const content = { businessAccountId: bound?.binding.business_account_id };
  const phones = await phonesThatCarry(ctx, await findSenders(ctx, projectId), content);
  const { doneAt, count, days } = await forecastOver(ctx, phones, { groups, startsAt, content });
  const leastDoneAt = new Date(startsAt.getTime() + leastMs);
  const isPaced = doneAt === null || doneAt >= leastDoneAt;
  return {
    starts_at: startsAt.toISOString(),
    done_at: (doneAt && !isPaced ? leastDoneAt : doneAt)?.toISOString() ?? null,
    count,
    phones: phones.length,
    days: isPaced ? days : [],
    waiting_for:
      bound?.hold?.waitingFor ??
      (await findWaitingReason(ctx, { account: ctx.account, projectId }, content))?.waitingFor ??
      null,
  };
}

/** Sandbox phones step back for connected ones of another kind. */
export async function findSenders(ctx: AccountContext, projectId: number): Promise<RotationPhone[]> {
  const phones = await findRotationPhones(ctx, { accountId: ctx.account.id, projectIds: [projectId] });
  const ready = phones.filter((phone) => phone.status === 'connected' && phone.is_active && !phone.is_resting);
  const real = ready.filter(({ connector }) => !isSimulated(connector));
  return real.length > 0 ? real : ready;
}

/** Phones whose network may refuse a first contact. */
export async function findRealSenders(ctx: AccountContext, projectId: number): Promise<number[]> {
  const phones = await findSenders(ctx, projectId);
  return phones.flatMap(({ id, connector }) => (isSimulated(connector) ? [] : [id]));
}

type Wanted = Pick<ForecastProject, 'groups' | 'startsAt'> & { content: CarriedContent };

/** Beside a phone that keeps no pace the others hardly count. */
async function forecastOver(
  ctx: AccountContext,
  phones: readonly RotationPhone[],
  { groups, startsAt: now, content: { businessAccountId } }: Wanted,
): Promise<Forecast> {
  const timeZone = ctx.account.timezone;
  const wanted = groups.reduce((sum, { count }) => sum + count, 0);
  const unpaced = phones.filter((phone) => !phone.is_paced);
  if (unpaced.length > 0) {
    const rates = await findThroughputs(
      ctx,
      ctx.account.id,
      unpaced.map(({ id }) => id),
    );
    const limits = unpaced.map((phone) => ({
      maxDaily: phone.max_daily_messages,
      used: messagesToday(phone, { now, timezone: timeZone }),
      perSecond: rates.get(phone.id) ?? null,
    }));
    const found =
      businessAccountId === undefined ? undefined : await findPortfolios(ctx, ctx.account.id, [businessAccountId]);
    return forecastUnpaced(withinPortfolio(limits, found?.get(businessAccountId ?? '')), wanted, { timeZone, now });
  }
  const ids = phones.map(({ id }) => id);
  // As the phones stand today, whenever sending begins: their day is another one by then.
  const startsAt = ctx.clock.now();
  const senders = await loadSenders(ctx, ctx.account.id, ids, momentOf(startsAt, timeZone));
  const starts = [...senders.values()].map((sender) => ({ ...sender, startsAt }));
  return forecast(starts, groups, { timeZone, now });
}

type Limit = { maxDaily: number; used: number; perSecond: number | null };

/** The numbers of a portfolio with a limit begin with no more people together than that, whatever each may send. */
function withinPortfolio(limits: readonly Limit[], portfolio: Portfolio | undefined): readonly Limit[] {
  if (!portfolio || portfolio.limit === null) return limits;
  const sum = (of: (limit: Limit) => number) => limits.reduce((all, each) => all + of(each), 0);
  const maxDaily = Math.min(
    portfolio.limit,
    sum((limit) => limit.maxDaily),
  );
  const free = Math.min(
    Math.max(0, portfolio.limit - portfolio.used),
    sum((limit) => Math.max(0, limit.maxDaily - limit.used)),
  );
  // All of them are official here, each with its throughput.
  return [{ maxDaily, used: Math.max(0, maxDaily - free), perSecond: sum(({ perSecond }) => perSecond ?? Infinity) }];
}
