import { sql } from 'kysely';
import type { EndpointInput, EndpointResponse } from '#contracts/endpoint.ts';
import type { listTrackedEvents as contract, TrackedEvent } from '#contracts/events.ts';
import type { AccountContext } from '#server/context.ts';
import { inReach } from '#server/modules/audience/profiles/index.ts';
import { narrowedTo } from '#server/scope.ts';
import { InvalidInputError } from '#server/platform/errors.ts';

type ListEvents = EndpointInput<typeof contract>['query'];

type Row = {
  id: number;
  profile_id: number;
  profile_name: string | null;
  phone: string;
  event: string;
  properties: Record<string, unknown>;
  at: Date;
  received_at: Date;
  message_id: string | null;
};

/** The latest first. */
export async function listEvents(
  ctx: AccountContext,
  { profile_id: profileId, name, from, to, after, limit }: ListEvents,
): Promise<EndpointResponse<typeof contract>> {
  const place = after === undefined ? undefined : placeOf(after);
  const conditions = [
    sql`e.account_id = ${ctx.account.id}`,
    ...(profileId === undefined ? [] : [sql`e.profile_id = ${profileId}`]),
    ...(narrowedTo(ctx) === null
      ? []
      : [
          sql`exists (select from profiles
                       where profiles.account_id = e.account_id and profiles.id = e.profile_id and ${inReach(ctx)})`,
        ]),
    ...(name === undefined
      ? []
      : [sql`e.name_id = (select id from event_names where account_id = ${ctx.account.id} and name = ${name})`]),
    ...(from === undefined ? [] : [sql`e.at >= ${new Date(from)}`]),
    ...(to === undefined ? [] : [sql`e.at < ${new Date(to)}`]),
    ...(place === undefined ? [] : [sql`(e.at, e.id) < (${place.at}::timestamptz, ${place.id}::bigint)`]),
  ];
  const { rows } = await sql<Row>`
    select e.id, e.profile_id, p.name as profile_name, p.phone, n.name as event, e.properties, e.at, e.received_at,
           e.message_id
      from (select * from events e where ${sql.join(conditions, sql` and `)}
             order by e.at desc, e.id desc limit ${limit + 1}) as e
      join event_names n on n.account_id = e.account_id and n.id = e.name_id
      join profiles p on p.account_id = e.account_id and p.id = e.profile_id
     order by e.at desc, e.id desc
  `.execute(ctx.db);
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { data: shown.map(present), next_cursor: last ? `${last.at.getTime()}_${last.id}` : null };
}

function placeOf(cursor: string): { at: Date; id: number } {
  const [, ms, id] = /^(-?\d{1,15})_(\d{1,16})$/.exec(cursor) ?? [];
  if (ms === undefined || id === undefined)
    throw new InvalidInputError([{ path: 'after', message: 'Use the next_cursor of an earlier answer' }]);
  return { at: new Date(Number(ms)), id: Number(id) };
}

const present = ({ at, received_at: receivedAt, ...row }: Row): TrackedEvent => ({
  ...row,
  timestamp: at.toISOString(),
  received_at: receivedAt.toISOString(),
});
