import { sql } from 'kysely';
import type { AccountContext } from '#server/context.ts';
import { findFacts } from '#server/modules/audience/profiles/index.ts';
import type { ProfileRow } from '#server/modules/audience/profiles/index.ts';
import { findConsents } from '#server/modules/audience/topics/index.ts';
import { findEngagement } from './kinds/engagement.ts';
import { countHappenings, findHappenings } from './kinds/happenings.ts';
import { findSteps } from './kinds/message-events.ts';
import type { Needs } from './needs.ts';
import type { Person } from './question.ts';

/** By profile, with what expressions need of them; without those that are not there. */
export async function findPeople(
  ctx: AccountContext,
  ids: readonly number[],
  { events, steps, engagement, topics, facts }: Needs,
): Promise<Map<number, Person>> {
  const rows = await findRows(ctx, ids);
  const found = rows.map(({ id }) => id);
  const all = {
    facts: facts ? await findFacts(ctx, found) : undefined,
    engagement: engagement ? await findEngagement(ctx, found) : undefined,
    topics: topics ? await findConsents(ctx, rows) : undefined,
    steps: steps ? await findSteps(ctx, found) : undefined,
    happenings: events?.size === 0 ? undefined : await findHappenings(ctx, found, events && [...events]),
  };
  return new Map(
    rows.map((row): [number, Person] => {
      const happenings = all.happenings?.get(row.id);
      return [
        row.id,
        {
          ...row,
          facts: all.facts?.get(row.id) ?? null,
          engagement: all.engagement?.get(row.id) ?? [],
          topics: all.topics?.get(row.id) ?? new Map(),
          steps: all.steps?.get(row.id) ?? [],
          ...(happenings && { happenings }),
        },
      ];
    }),
  );
}

/** People with more events than this are looked at fewer at once. */
const eventsAtOnce = 100_000;

/** As many of them, from the first on, as have no more events than fit; at least one. */
export async function fittingPeople(ctx: AccountContext, ids: number[], { events }: Needs): Promise<number[]> {
  if (events === undefined || events.size === 0) return ids;
  const counts = await countHappenings(ctx, ids, [...events]);
  let sum = 0;
  const end = ids.findIndex((id) => (sum += counts.get(id) ?? 0) > eventsAtOnce);
  return end < 0 ? ids : ids.slice(0, Math.max(1, end));
}

/** Each by its key alone: with old statistics the planner may read the whole account by another index. */
async function findRows(ctx: AccountContext, ids: readonly number[]): Promise<ProfileRow[]> {
  if (ids.length === 0) return [];
  const accountId = ctx.account.id;
  const { rows } = await sql<ProfileRow>`
    select found.* from unnest(${ids}::bigint[]) as x (id)
     cross join lateral (select * from profiles
                          where account_id = ${accountId} and id between x.id and x.id
                          order by id limit 1) as found
  `.execute(ctx.db);
  return rows;
}
