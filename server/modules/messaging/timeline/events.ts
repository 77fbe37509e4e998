import { sql } from 'kysely';
import { placeOf, timedPlace } from './source.ts';
import type { Source } from './source.ts';

type Row = { id: number; event: string; properties: Record<string, unknown>; at: Date };

/** Events of the person, in the order in which it happened. */
export const eventsOf: Source = async (ctx, { id: profileId }, { place, before, limit }) => {
  const reached = place === undefined ? undefined : timedPlace(place);
  const { rows } = await sql<Row>`
    select e.id, n.name as event, e.properties, e.at
      from (select * from events e
             where e.account_id = ${ctx.account.id} and e.profile_id = ${profileId}
               and ${reached ? sql`(e.at, e.id) < (${reached.at}::timestamptz, ${reached.id}::bigint)` : sql`true`}
               and ${before ? sql`e.at < ${before}::timestamptz` : sql`true`}
             order by e.at desc, e.id desc limit ${limit}) as e
      join event_names n on n.account_id = ${ctx.account.id} and n.id = e.name_id
     order by e.at desc, e.id desc
  `.execute(ctx.db);
  return rows.map(({ id, event, properties, at }) => ({
    at,
    place: placeOf({ at, id }),
    entry: { id: `event:${id}`, kind: 'event', at: at.toISOString(), event_id: id, event, properties },
  }));
};
