import { sql } from 'kysely';
import { fingerprintOf } from '#server/modules/audience/membership/index.ts';
import type { Source } from '#server/modules/audience/membership/index.ts';
import { criteriaOfSegment } from '../criteria.ts';
import { findSegmentRows } from '../queries.ts';

/** Has the people of segments followed, and keeps who joins and leaves. */
export const segmentSource: Source = {
  name: 'segment',
  // Segments, types and topics that others name are among them.
  fingerprint: (accountId) => sql`
    concat_ws(' ', ${fingerprintOf('segments', accountId)}, ${fingerprintOf('field_types', accountId)},
                   ${fingerprintOf('topics', accountId)})`,
  async find(ctx) {
    const rows = await findSegmentRows(ctx);
    return Promise.all(rows.map(async (row) => ({ sourceId: row.id, criteria: await criteriaOfSegment(ctx, row) })));
  },
  async noteMoves(tx, moves, at) {
    await sql`
      with moved as materialized (
        select x.profile_id, s.id, s.name, x.state
          from unnest(${moves.map(({ sourceId }) => sourceId)}::bigint[],
                      ${moves.map(({ profileId }) => profileId)}::bigint[],
                      ${moves.map(({ state }) => state)}::text[]) as x (segment_id, profile_id, state)
          join segments s on s.account_id = ${tx.account.id} and s.id = x.segment_id
      )
      insert into segment_moves (account_id, profile_id, segment_id, segment_name, state, at)
      select ${tx.account.id}::bigint, profile_id, id, name, state, ${at}::timestamptz from moved
       order by profile_id, id
    `.execute(tx.db);
  },
};
