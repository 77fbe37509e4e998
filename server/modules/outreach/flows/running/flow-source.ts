import { sql } from 'kysely';
import type { Source } from '#server/modules/audience/membership/index.ts';
import { noteCandidates } from './candidates.ts';
import { audienceOf, criteriaOfAudience } from './audience.ts';

/** Has the audiences of active flows followed: who is found is a candidate, whom the flow looks at once more. */
export const flowSource: Source = {
  name: 'flow',
  fingerprint: (accountId) => sql`
    (select md5(string_agg(concat_ws(' ', f.id, f.conditions, f.duration, f.audience), ',' order by f.id))
       from flows f where f.account_id = ${accountId} and f.is_active)`,
  async find(ctx) {
    const rows = await ctx.db
      .selectFrom('flows')
      .select(['id', 'conditions', 'duration', 'audience'])
      .where('account_id', '=', ctx.account.id)
      .where('is_active', '=', true)
      .orderBy('id', 'desc')
      .execute();
    return Promise.all(
      rows.map(async (row) => ({ sourceId: row.id, criteria: await criteriaOfAudience(ctx, audienceOf(row)) })),
    );
  },
  noteFound: noteCandidates,
};
