import { sql } from 'kysely';
import type { WaitingReason } from '#contracts/waiting-reason.ts';
import type { Tx } from '#server/context.ts';
import { findCapped } from './marketing-caps.ts';
import { knownEnd } from './number-holds.ts';
import { findFreePlaces, findPortfolios, lockPortfolio } from './portfolio.ts';

/** A template on its way to a recipient; undefined stands for other content. */
type Asked = { to: string; businessAccountId: string; category: string };

/**
 * Whether Meta's allowances let a template go now. `begins`: it is the first to its recipient outside of a window in 24
 * hours and takes a place of the portfolio's.
 */
export type TemplateVerdict =
  | { kind: 'now'; begins: boolean }
  | { kind: 'marketing_capped' }
  | { kind: 'later'; at: Date; until: Date | null; why: WaitingReason };

/** A hold whose end nobody knows is asked about again. */
const askedAgainMs = 60 * 60_000;

/**
 * Asks for templates in their order what the limits of their recipients and of the business portfolio say. Places are
 * taken as they are given; the transaction notes those that are used with `noteBegun`.
 */
export async function judgeTemplates(
  tx: Tx,
  accountId: number,
  asked: readonly (Asked | undefined)[],
): Promise<(TemplateVerdict | undefined)[]> {
  const templates = asked.flatMap((each, index) => (each ? [{ ...each, index }] : []));
  const verdicts: (TemplateVerdict | undefined)[] = asked.map(() => undefined);
  const marketing = templates.filter(({ category }) => category === 'marketing').map(({ to }) => to);
  const capped = await findCapped(tx, accountId, marketing);
  for (const [businessAccountId, of] of Map.groupBy(templates, (template) => template.businessAccountId)) {
    const allowance = await readAllowance(tx, accountId, businessAccountId);
    const numbers = of.map(({ to }) => to);
    const { begun, open } = await findFreePlaces(tx, accountId, { businessAccountId, numbers });
    const taken = new Set<string>();
    let { left } = allowance;
    for (const [place, { to, category, index }] of of.entries()) {
      if (category === 'marketing' && capped.has(to)) {
        verdicts[index] = { kind: 'marketing_capped' };
      } else if (open.has(place + 1)) {
        verdicts[index] = { kind: 'now', begins: false };
      } else if (allowance.hold) {
        verdicts[index] = allowance.hold;
      } else if (begun.has(place + 1) || taken.has(to)) {
        verdicts[index] = { kind: 'now', begins: true };
      } else if (left > 0) {
        left -= 1;
        taken.add(to);
        verdicts[index] = { kind: 'now', begins: true };
      } else {
        const at = allowance.freeAt ?? new Date(tx.clock.now().getTime() + askedAgainMs);
        verdicts[index] = { kind: 'later', at, until: allowance.freeAt, why: 'portfolio_limit' };
      }
    }
  }
  return verdicts;
}

type Allowance = { hold: Extract<TemplateVerdict, { kind: 'later' }> | undefined; left: number; freeAt: Date | null };

async function readAllowance(tx: Tx, accountId: number, businessAccountId: string): Promise<Allowance> {
  const now = tx.clock.now();
  const { rows } = await sql<{ until: Date | null }>`
    /* prepared: find-begin-holds */
    select nh.until from cloud_numbers c join number_holds nh on nh.phone_id = c.phone_id
     where c.account_id = ${accountId} and c.business_account_id = ${businessAccountId}
       and nh.scope = 'begin' and (nh.until is null or nh.until > ${now})
     order by nh.until desc nulls first limit 1
  `.execute(tx.db);
  const [held] = rows;
  if (held) {
    const at = held.until ?? new Date(now.getTime() + askedAgainMs);
    const hold = { kind: 'later', at, until: held.until && knownEnd(held.until), why: 'phone_restricted' } as const;
    return { hold, left: 0, freeAt: null };
  }
  const found = await findPortfolios(tx, accountId, [businessAccountId]);
  if ((found.get(businessAccountId)?.limit ?? null) === null) return { hold: undefined, left: Infinity, freeAt: null };
  await lockPortfolio(tx, accountId, businessAccountId);
  const { limit, used, freeAt } = (await findPortfolios(tx, accountId, [businessAccountId])).get(businessAccountId) ?? {
    limit: null,
    used: 0,
    freeAt: null,
  };
  return { hold: undefined, left: limit === null ? Infinity : Math.max(0, limit - used), freeAt };
}
