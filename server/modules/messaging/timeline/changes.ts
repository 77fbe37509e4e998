import { sql } from 'kysely';
import { isPermitted } from '#server/actor.ts';
import type { AuditTables } from '#server/audit-tables.ts';
import type { Selectable } from 'kysely';
import type { Source } from './source.ts';

type Row = Pick<Selectable<AuditTables['audit_events']>, 'id' | 'created_at' | 'action' | 'actor_name' | 'changes'>;

/** Acts with entries of their own. */
const others = ['profile.created', 'profile.topics_changed'];

/** Changes of the profile by members, keys and the product, as far as the audit log has them. */
export const changesOf: Source = async (ctx, { id: profileId }, { place, before, limit }) => {
  const { rows } = await sql<Row>`
    select id, created_at, action, actor_name, changes from audit_events
     where account_id = ${ctx.account.id} and target_type = 'profile' and target_id = ${profileId}
       and action <> all(${others}::text[])
       and ${place === undefined ? sql`true` : sql`id < ${Number(place)}`}
       and ${before ? sql`created_at < ${before}::timestamptz` : sql`true`}
     order by id desc limit ${limit}
  `.execute(ctx.db);
  const namesActors = isPermitted(ctx.actor, 'team:read');
  return rows.map(({ id, created_at: at, action, actor_name: actor, changes }) => ({
    at,
    place: String(id),
    entry: {
      id: `change:${id}`,
      kind: 'change',
      at: at.toISOString(),
      action,
      actor: namesActors ? actor : null,
      changes: Object.entries(changes).map(([field, { before: was, after: is, hidden = false }]) => ({
        field,
        before: was,
        after: is,
        hidden,
      })),
    },
  }));
};

/** The beginning of the profile: one entry, whose place is the profile's id. */
export const creationOf: Source = async (ctx, { id, createdAt }, { place, before }) => {
  if (place !== undefined || (before && createdAt >= before)) return [];
  const { rows } = await sql<{ actor: string }>`
    select actor_name as actor from audit_events
     where account_id = ${ctx.account.id} and target_type = 'profile' and target_id = ${id}
       and action = 'profile.created'
     order by id limit 1
  `.execute(ctx.db);
  const actor = isPermitted(ctx.actor, 'team:read') ? (rows[0]?.actor ?? null) : null;
  return [
    {
      at: createdAt,
      place: String(id),
      entry: { id: `created:${id}`, kind: 'created', at: createdAt.toISOString(), actor },
    },
  ];
};
