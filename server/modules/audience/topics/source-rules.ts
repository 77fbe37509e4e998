import { sql } from 'kysely';
import type { RawBuilder, Selectable } from 'kysely';
import type { CapPriority, WhenCapped } from '#contracts/caps.ts';
import type { AccountContext, Context, Tx } from '#server/context.ts';
import { InvalidInputError } from '#server/platform/errors.ts';
import type { SourceRulesTable } from './tables.ts';

export type RuledSource = Pick<Selectable<SourceRulesTable>, 'source'> & { sourceId: number };
export type SourceRules = { topic_id: number | null; when_capped: WhenCapped; priority: CapPriority };

export const noRules: SourceRules = { topic_id: null, when_capped: 'skip', priority: 'normal' };

/** As a table `rules` with one column, over rows `s` of sources. */
export const rulesOf = (source: RuledSource['source']): RawBuilder<unknown> => sql`
  lateral (
    select coalesce((select jsonb_build_object('topic_id', r.topic_id, 'when_capped', r.when_capped, 'priority', r.priority)
                       from source_rules r
                      where r.account_id = s.account_id and r.source = ${sql.lit(source)} and r.source_id = s.id),
                    ${sql.lit(JSON.stringify(noRules))}::jsonb) as rules
  ) as rules`;

export async function findRules(
  ctx: Context,
  { accountId, source, sourceId }: RuledSource & { accountId: number },
): Promise<SourceRules> {
  const row = await ctx.db
    .selectFrom('source_rules')
    .select(['topic_id', 'when_capped', 'priority'])
    .where('account_id', '=', accountId)
    .where('source', '=', source)
    .where('source_id', '=', sourceId)
    .executeTakeFirst();
  return row ?? noRules;
}

type Given = { [K in keyof SourceRules]?: SourceRules[K] | undefined };

/** Sets what is given, in the transaction that saves the source. Throws 422 for a topic that there is not. */
export async function setRules(
  tx: Tx<AccountContext>,
  { source, sourceId }: RuledSource,
  { given, path = 'topic_id' }: { given: Given; path?: string },
): Promise<SourceRules> {
  const accountId = tx.account.id;
  const before = await findRules(tx, { accountId, source, sourceId });
  const { topic_id: topic = before.topic_id, when_capped: capped = before.when_capped, priority } = given;
  const after = { topic_id: topic, when_capped: capped, priority: priority ?? before.priority };
  if (after.topic_id !== null && after.topic_id !== before.topic_id) await requireTopic(tx, after.topic_id, path);
  await tx.db
    .insertInto('source_rules')
    .values({ account_id: accountId, source, source_id: sourceId, ...after })
    .onConflict((conflict) => conflict.columns(['account_id', 'source', 'source_id']).doUpdateSet(after))
    .execute();
  return after;
}

/** Of a source that is deleted. */
export async function forgetRules(tx: Tx, { accountId, source, sourceId }: RuledSource & { accountId: number }) {
  await tx.db
    .deleteFrom('source_rules')
    .where('account_id', '=', accountId)
    .where('source', '=', source)
    .where('source_id', '=', sourceId)
    .execute();
}

/** Throws 422 unless the account has this topic. */
export async function requireTopic(ctx: AccountContext, topicId: number, path: string): Promise<void> {
  const topic = await ctx.db
    .selectFrom('topics')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', topicId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!topic) throw new InvalidInputError([{ path, message: `There is no topic ${topicId}` }]);
}
