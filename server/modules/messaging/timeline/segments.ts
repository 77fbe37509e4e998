import { sql } from 'kysely';
import type { Source } from './source.ts';

type Row = { id: number; segment_id: number; segment_name: string; state: 'joined' | 'left'; at: Date };

/** Segments that the person joined and left, in the order in which that was seen. */
export const segmentsOf: Source = async (ctx, { id: profileId }, { place, before, limit }) => {
  const { rows } = await sql<Row>`
    select m.id, m.segment_id, coalesce(s.name, m.segment_name) as segment_name, m.state, m.at
      from segment_moves m
      left join segments s on s.account_id = m.account_id and s.id = m.segment_id
     where m.account_id = ${ctx.account.id} and m.profile_id = ${profileId}
       and ${place === undefined ? sql`true` : sql`m.id < ${Number(place)}`}
       and ${before ? sql`m.at < ${before}::timestamptz` : sql`true`}
     order by m.id desc limit ${limit}
  `.execute(ctx.db);
  return rows.map(({ id, at, ...row }) => ({
    at,
    place: String(id),
    entry: { id: `segment:${id}`, kind: 'segment', at: at.toISOString(), ...row },
  }));
};
