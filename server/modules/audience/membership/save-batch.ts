import { sql } from 'kysely';
import type { AccountContext, Tx } from '#server/context.ts';
import type { Outcome } from './evaluate-batch.ts';
import type { Batch, Slice } from './read-batch.ts';
import type { Move, Sources } from './sources.ts';
import { inTurn } from './turn.ts';
import type { Turn } from './turn.ts';

type Saving = { batch: Batch; outcome: Outcome; sources: Sources; at: Date };

/** Stores states, moves, who was found and how far the work has come, and takes what was dealt with from the queue: all of it or nothing. */
export async function saveBatch(
  ctx: AccountContext,
  turn: Turn,
  { batch, outcome, sources, at }: Saving,
): Promise<void> {
  await inTurn(ctx, turn, async (tx) => {
    const moves = sources.flatMap((source) => (source.noteMoves ? (outcome.moves.get(source.name) ?? []) : []));
    const held = await holdProfiles(tx, moves);
    for (const source of sources) {
      const own = (outcome.moves.get(source.name) ?? []).filter(({ profileId }) => held.has(profileId));
      if (own.length > 0) await source.noteMoves?.(tx, own, at);
      const found = outcome.found.get(source.name) ?? [];
      if (found.length > 0) await source.noteFound?.(tx, found, at);
    }
    await saveStates(tx, outcome);
    if (batch.changeIds.length > 0) {
      await sql`
        delete from profile_changes where account_id = ${tx.account.id} and id = any(${batch.changeIds}::bigint[])
      `.execute(tx.db);
    }
    if (batch.slice) await noteSlice(tx, batch.slice);
  });
}

/** A move goes with its profile. */
async function holdProfiles(tx: Tx<AccountContext>, moves: readonly Move[]): Promise<Set<number>> {
  if (moves.length === 0) return new Set();
  const { rows } = await sql<{ id: number }>`
    select id from profiles
     where account_id = ${tx.account.id} and id = any(${[...new Set(moves.map(({ profileId }) => profileId))]}::bigint[])
     order by id for key share
  `.execute(tx.db);
  return new Set(rows.map(({ id }) => id));
}

async function saveStates(tx: Tx<AccountContext>, { states, dropped }: Outcome): Promise<void> {
  const accountId = tx.account.id;
  if (states.size > 0) {
    const rows = [...states].map(([id, { memberOf, dueAt }]) => ({ id, member_of: memberOf, due_at: dueAt }));
    await sql`
      insert into profile_states as s (account_id, profile_id, member_of, due_at)
      select ${accountId}, id, member_of, due_at
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x (id bigint, member_of bigint[], due_at timestamptz)
       order by id
      on conflict (account_id, profile_id) do update set member_of = excluded.member_of, due_at = excluded.due_at
    `.execute(tx.db);
  }
  if (dropped.length > 0) {
    await sql`
      delete from profile_states where account_id = ${accountId} and profile_id = any(${dropped}::bigint[])
    `.execute(tx.db);
  }
}

/** An expression that is built takes the place of its earlier definition. */
async function noteSlice(tx: Tx<AccountContext>, { until, sweptUntil }: Slice): Promise<void> {
  const accountId = tx.account.id;
  if (until !== undefined) {
    await sql`
      update audience_watches set built_until = ${until}
       where account_id = ${accountId} and not is_built and built_until < ${until}
    `.execute(tx.db);
    await sql`
      update audience_work set swept_until = ${until}
       where account_id = ${accountId} and swept_until = ${sweptUntil} and swept_until < ${until}
    `.execute(tx.db);
    return;
  }
  await sql`
    with built as (
      update audience_watches set is_built = true where account_id = ${accountId} and not is_built
      returning id, source, source_id
    )
    delete from audience_watches w using built b
     where w.account_id = ${accountId} and w.source = b.source and w.source_id = b.source_id and w.id <> b.id
  `.execute(tx.db);
  // Another sweep may have been asked for meanwhile.
  await sql`
    update audience_work set swept_until = null where account_id = ${accountId} and swept_until = ${sweptUntil}
  `.execute(tx.db);
}
