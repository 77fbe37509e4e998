import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { mostLabels } from '#contracts/conversation-labels.ts';
import type { ConversationLabel, LabelChange, NewLabel } from '#contracts/conversation-labels.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { getProject } from '#server/modules/identity/projects/index.ts';
import { takeTurn } from '#server/platform/db/shared-names.ts';
import { InvalidInputError, NotFoundError } from '#server/platform/errors.ts';
import { inScope } from '#server/scope.ts';

/** Conversations of a label that are counted; more are not, so that it costs the same for everybody. */
const mostCounted = 1_000;

type LabelRow = Omit<ConversationLabel, 'created_at'> & { created_at: Date };

/** SQL over a conversation: the names of its labels. Labels that were deleted are none, without a write to each. */
export function labelsOf(conversation: string): RawBuilder<string[]> {
  const column = (name: string) => sql.ref(`${conversation}.${name}`);
  return sql<string[]>`array(
    select l.name from conversation_labels l
     where l.account_id = ${column('account_id')} and l.id = any(${column('label_ids')})
     order by lower(l.name))`;
}

/** SQL over a conversation `c`: it has the label. The first condition is the index's. */
export const hasLabel = (ctx: AccountContext, name: string): RawBuilder<boolean> => sql<boolean>`
  (c.label_ids <> '{}' and c.label_ids @> array(
     select l.id from conversation_labels l
      where l.account_id = ${ctx.account.id} and lower(l.name) = lower(${name}))
   and exists (select from conversation_labels l where l.account_id = ${ctx.account.id} and lower(l.name) = lower(${name})))`;

async function readLabels(
  ctx: AccountContext,
  { projectId, labelId }: { projectId?: number | undefined; labelId?: number | undefined },
): Promise<ConversationLabel[]> {
  const { rows } = await sql<LabelRow>`
    select l.id, l.name, l.color, l.created_at,
           (select count(*)::int
              from (select from conversations c
                     where c.account_id = l.account_id and c.status = 'open' and ${inScope(ctx, 'c.project_id')}
                       and c.label_ids <> '{}' and c.label_ids @> array[l.id]
                       and ${projectId === undefined ? sql`true` : sql`c.project_id = ${projectId}`}
                     limit ${mostCounted}) as counted) as open_count
      from conversation_labels l
     where l.account_id = ${ctx.account.id} and ${labelId === undefined ? sql`true` : sql`l.id = ${labelId}`}
     order by lower(l.name)
  `.execute(ctx.db);
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
}

export async function listLabels(
  ctx: AccountContext,
  { project_id: projectId }: { project_id?: number | undefined },
): Promise<{ data: ConversationLabel[] }> {
  if (projectId !== undefined) await getProject(ctx, projectId);
  return { data: await readLabels(ctx, { projectId }) };
}

async function getLabel(ctx: AccountContext, labelId: number): Promise<ConversationLabel> {
  const [label] = await readLabels(ctx, { labelId });
  if (!label) throw new NotFoundError('Label');
  return label;
}

/** Throws 422 for a name that a label has, and where the account has as many as it may have. */
export async function createLabel(ctx: AccountContext, label: NewLabel): Promise<ConversationLabel> {
  return inTransaction(ctx, async (tx) => {
    await lockLabels(tx);
    await requireFreeName(tx, label.name);
    await requireRoom(tx, 'name', 1);
    return getLabel(tx, await insertLabel(tx, label));
  });
}

/** Throws 422 for a name that another label has. */
export async function updateLabel(
  ctx: AccountContext,
  { labelId, name, color }: LabelChange & { labelId: number },
): Promise<ConversationLabel> {
  return inTransaction(ctx, async (tx) => {
    await lockLabels(tx);
    await getLabel(tx, labelId);
    if (name !== undefined) await requireFreeName(tx, name, labelId);
    if (name !== undefined || color !== undefined) {
      await tx.db
        .updateTable('conversation_labels')
        .set({ ...(name !== undefined && { name }), ...(color !== undefined && { color }) })
        .where('account_id', '=', tx.account.id)
        .where('id', '=', labelId)
        .execute();
    }
    return getLabel(tx, labelId);
  });
}

export async function deleteLabel(ctx: AccountContext, { labelId }: { labelId: number }): Promise<undefined> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('conversation_labels')
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', labelId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new NotFoundError('Label');
}

/** The ids of labels by their names; those that there are not yet are made, gray. */
export async function labelIdsOf(tx: Tx<AccountContext>, names: readonly string[]): Promise<number[]> {
  if (names.length === 0) return [];
  const known = await findIds(tx, names);
  if (known.size === names.length) return [...known.values()];
  await lockLabels(tx);
  const ids = await findIds(tx, names);
  const missing = names.filter((name) => !ids.has(name.toLowerCase()));
  if (missing.length > 0) await requireRoom(tx, 'labels', missing.length);
  for (const name of missing) ids.set(name.toLowerCase(), await insertLabel(tx, { name, color: 'gray' }));
  return [...ids.values()];
}

/** Ids by names in lower case. */
export async function findIds(ctx: AccountContext, names: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ asked: string; id: number }>`
    select asked, l.id from unnest(${[...names]}::text[]) as asked
      join conversation_labels l on l.account_id = ${ctx.account.id} and lower(l.name) = lower(asked)
  `.execute(ctx.db);
  return new Map(rows.map(({ asked, id }) => [asked.toLowerCase(), id]));
}

async function insertLabel(tx: Tx<AccountContext>, { name, color }: NewLabel): Promise<number> {
  const row = await tx.db
    .insertInto('conversation_labels')
    .values({ account_id: tx.account.id, name, color, created_at: tx.clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Serializes changes within an account, so that the names and the number of labels are checked reliably. */
async function lockLabels(tx: Tx<AccountContext>): Promise<void> {
  await takeTurn(tx.db, 'conversation labels', tx.account.id);
}

async function requireFreeName(tx: Tx<AccountContext>, name: string, labelId?: number): Promise<void> {
  const taken = (await findIds(tx, [name])).get(name.toLowerCase());
  if (taken === undefined || taken === labelId) return;
  throw new InvalidInputError([{ path: 'name', message: 'There is a label of that name already' }]);
}

async function requireRoom(tx: Tx<AccountContext>, path: string, more: number): Promise<void> {
  const { count } = await tx.db
    .selectFrom('conversation_labels')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', tx.account.id)
    .executeTakeFirstOrThrow();
  if (count + more <= mostLabels) return;
  const message = `An account has at most ${mostLabels} labels. Delete one first.`;
  throw new InvalidInputError([{ path, message }]);
}
