import { sql } from 'kysely';
import type { AccountContext, Context, Tx } from '#server/context.ts';
import type { ConversationRow } from '../tables.ts';

const keptDays = 400;
const dayMs = 86_400_000;
/** Rows that one statement removes. */
const removedPerStep = 5_000;

const actingUser = ({ actor }: AccountContext): number | null => (actor.kind === 'user' ? actor.userId : null);

/** The first answer of an open episode; later ones change nothing. */
export async function noteAnswered(
  tx: Tx<AccountContext>,
  { conversationId, at }: { conversationId: number; at: Date },
): Promise<void> {
  await sql`
    update conversation_episodes set answered_at = greatest(opened_at, ${at}), answered_by = ${actingUser(tx)}
     where account_id = ${tx.account.id} and conversation_id = ${conversationId}
       and done_at is null and answered_at is null
  `.execute(tx.db);
}

/** Done ends the open episode. Opened again by hand, the last one goes on as if nothing had happened. */
export async function noteStatus(
  tx: Tx<AccountContext>,
  { id, status: before }: ConversationRow,
  status: ConversationRow['status'],
): Promise<void> {
  if (status === before) return;
  const own = sql`account_id = ${tx.account.id} and conversation_id = ${id}`;
  if (status === 'done') {
    await sql`
      update conversation_episodes set done_at = greatest(opened_at, ${tx.clock.now()}), done_by = ${actingUser(tx)}
       where ${own} and done_at is null
    `.execute(tx.db);
    return;
  }
  await sql`
    update conversation_episodes set done_at = null, done_by = null
     where ${own} and id = (select max(id) from conversation_episodes where ${own})
       and not exists (select from conversation_episodes where ${own} and done_at is null)
  `.execute(tx.db);
}

// account-wide: what is too old goes, whosever it is.
export async function removeOldEpisodes({ db, clock }: Context): Promise<void> {
  const before = new Date(clock.now().getTime() - keptDays * dayMs);
  let removed = removedPerStep;
  while (removed === removedPerStep) {
    const { numAffectedRows = 0n } = await sql`
      delete from conversation_episodes
       where (account_id, id) in (select account_id, id from conversation_episodes
                                   where opened_at < ${before} order by opened_at limit ${removedPerStep})
    `.execute(db);
    removed = Number(numAffectedRows);
  }
}
