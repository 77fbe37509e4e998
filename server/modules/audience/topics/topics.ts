import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { NewTopic, Topic, TopicChange } from '#contracts/topics.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { takeTurn } from '#server/platform/db/shared-names.ts';
import { InvalidInputError, NotFoundError } from '#server/platform/errors.ts';
import type { TopicsTable } from './tables.ts';

const mostTopics = 50;

type TopicRow = Selectable<TopicsTable>;

export async function listTopics(ctx: AccountContext): Promise<{ data: Topic[] }> {
  return { data: await findTopics(ctx) };
}

export async function createTopic(ctx: AccountContext, input: NewTopic): Promise<Topic> {
  return inTransaction(ctx, async (tx) => {
    const topics = await lockTopics(tx);
    if (topics.length >= mostTopics) refuse(`An account has at most ${mostTopics} topics`);
    refuseTaken(topics, input.name);
    const now = tx.clock.now();
    const { id } = await tx.db
      .insertInto('topics')
      .values({
        account_id: tx.account.id,
        name: input.name,
        description: input.description ?? null,
        needs_opt_in: input.needs_opt_in,
        created_at: now,
        updated_at: now,
        deleted_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return announced(tx, id);
  });
}

/** Throws 404. */
export async function updateTopic(
  ctx: AccountContext,
  { topicId, change }: { topicId: number; change: TopicChange },
): Promise<Topic> {
  return inTransaction(ctx, async (tx) => {
    const topics = await lockTopics(tx);
    requireAmong(topics, topicId);
    if (change.name !== undefined)
      refuseTaken(
        topics.filter(({ id }) => id !== topicId),
        change.name,
      );
    await tx.db
      .updateTable('topics')
      .set({
        ...(change.name !== undefined && { name: change.name }),
        ...(change.description !== undefined && { description: change.description }),
        ...(change.needs_opt_in !== undefined && { needs_opt_in: change.needs_opt_in }),
        updated_at: tx.clock.now(),
      })
      .where('account_id', '=', tx.account.id)
      .where('id', '=', topicId)
      .execute();
    await tx.onDomainEvents(tx, [{ type: 'audiences.changed', accountId: tx.account.id, at: tx.clock.now() }]);
    return announced(tx, topicId);
  });
}

/** Throws 404. */
export async function deleteTopic(ctx: AccountContext, { topicId }: { topicId: number }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    requireAmong(await lockTopics(tx), topicId);
    await tx.db
      .updateTable('topics')
      .set({ deleted_at: tx.clock.now() })
      .where('account_id', '=', tx.account.id)
      .where('id', '=', topicId)
      .execute();
    await publishLive(tx, tx.account.id, { type: 'suppressions.changed' });
  });
}

/** The account's topics; others that change them wait. */
async function lockTopics(tx: Tx<AccountContext>): Promise<TopicRow[]> {
  await takeTurn(tx.db, 'topics', tx.account.id);
  return tx.db
    .selectFrom('topics')
    .selectAll()
    .where('account_id', '=', tx.account.id)
    .where('deleted_at', 'is', null)
    .execute();
}

function refuse(message: string): never {
  throw new InvalidInputError([{ path: 'name', message }]);
}

function refuseTaken(topics: readonly TopicRow[], name: string): void {
  const isTaken = topics.some((topic) => topic.name.toLowerCase() === name.toLowerCase());
  if (isTaken) refuse('There is a topic with this name already');
}

function requireAmong(topics: readonly TopicRow[], topicId: number): void {
  if (topics.every(({ id }) => id !== topicId)) throw new NotFoundError('Topic');
}

async function announced(tx: Tx<AccountContext>, topicId: number): Promise<Topic> {
  await publishLive(tx, tx.account.id, { type: 'suppressions.changed' });
  const topic = (await findTopics(tx)).find(({ id }) => id === topicId);
  if (!topic) throw new NotFoundError('Topic');
  return topic;
}

async function findTopics(ctx: AccountContext): Promise<Topic[]> {
  const { rows } = await sql<TopicRow & Pick<Topic, 'opted_in_count' | 'opted_out_count'>>`
    select t.*, coalesce(c.opted_in, 0)::int as opted_in_count, coalesce(c.opted_out, 0)::int as opted_out_count
      from topics t
      left join (select topic_id, count(*) filter (where state = 'opted_in') as opted_in,
                        count(*) filter (where state = 'opted_out') as opted_out
                   from topic_consents where account_id = ${ctx.account.id} group by topic_id) as c on c.topic_id = t.id
     where t.account_id = ${ctx.account.id} and t.deleted_at is null
     order by lower(t.name), t.id
  `.execute(ctx.db);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    description: row.description,
    needs_opt_in: row.needs_opt_in,
    opted_in_count: row.opted_in_count,
    opted_out_count: row.opted_out_count,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }));
}
