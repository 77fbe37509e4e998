import type { Criteria } from '#contracts/expressions.ts';
import type { AccountContext } from '#server/context.ts';
import { needsOf, questionOf } from '#server/modules/audience/conditions/index.ts';
import type { Needs, Question } from '#server/modules/audience/conditions/index.ts';
import { processPart } from '#server/process-part.ts';

export type Watch = {
  id: number;
  source: string;
  sourceId: number;
  builtUntil: number;
  isBuilt: boolean;
  /** Whether its moves are told: while an earlier definition answers they are that one's. */
  isTold: boolean;
  question: Question;
  criteria: Criteria;
};

export type Watches = { all: readonly Watch[]; needs: Needs };

type Compiled = { criteria: Criteria; question: Question };

/** So many accounts' compiled expressions are kept; those of one that was looked up longest ago go first. */
const mostAccounts = 200;
const compiledOf = processPart(() => new Map<number, ReadonlyMap<number, Compiled>>());

/** The expressions as they are followed; an id stands for one definition, so that each is compiled once. */
export async function findWatches(ctx: AccountContext): Promise<Watches> {
  const accountId = ctx.account.id;
  const rows = await ctx.db
    .selectFrom('audience_watches')
    .select(['id', 'source', 'source_id', 'built_until', 'is_built'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();
  const kept = compiledOf(ctx);
  const known = kept.get(accountId) ?? new Map<number, Compiled>();
  const missing = rows.flatMap(({ id }) => (known.has(id) ? [] : [id]));
  const read = missing.length === 0 ? [] : await readCriteria(ctx, missing);
  const compiled = new Map(
    rows.flatMap(({ id }): [number, Compiled][] => {
      const found = known.get(id) ?? read.find((each) => each.id === id);
      return found ? [[id, found]] : [];
    }),
  );
  kept.delete(accountId);
  kept.set(accountId, compiled);
  for (const oldest of kept.keys()) {
    if (kept.size <= mostAccounts) break;
    kept.delete(oldest);
  }
  const answering = new Set(rows.flatMap((row) => (row.is_built ? [`${row.source} ${row.source_id}`] : [])));
  const all = rows.flatMap((row): Watch[] => {
    const found = compiled.get(row.id);
    if (!found) return [];
    const { id, source, source_id: sourceId, built_until: builtUntil, is_built: isBuilt } = row;
    const isTold = isBuilt || !answering.has(`${source} ${sourceId}`);
    return [{ id, source, sourceId, builtUntil, isBuilt, isTold, ...found }];
  });
  return { all, needs: needsOf(all.map(({ criteria }) => criteria)) };
}

async function readCriteria({ db, account }: AccountContext, ids: readonly number[]) {
  const rows = await db
    .selectFrom('audience_watches')
    .select(['id', 'criteria'])
    .where('account_id', '=', account.id)
    .where('id', 'in', ids)
    .execute();
  return rows.map(({ id, criteria }) => ({ id, criteria, question: questionOf(criteria) }));
}
