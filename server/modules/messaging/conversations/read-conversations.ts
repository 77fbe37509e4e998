import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Conversation } from '#contracts/conversations.ts';
import { isPermitted } from '#server/actor.ts';
import { lidOf } from '#server/connectors/messaging/port.ts';
import type { AccountContext } from '#server/context.ts';
import { inScope } from '#server/scope.ts';
import { presentMessage, readMessages } from '#server/modules/messaging/messages/index.ts';
import { optedOutAt } from '#server/modules/audience/suppressions/index.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { assigneeOf } from './assignees.ts';
import { labelsOf } from './labels/labels.ts';
import type { ConversationRow } from './tables.ts';

type ShownRow = ConversationRow & {
  profile_id: number | null;
  profile_name: string | null;
  opted_out: boolean;
  window_expires_at: Date | null;
  assignee_id: number | null;
  labels: string[];
};

/** `cursor` is where the page after it begins. */
type Listed = { conversation: Conversation; cursor: number };

type Asked = { condition: RawBuilder<unknown>; limit: number };

/** Conversations of the account, over `c`, the latest first; without `messages:read` no more than what a change needs. */
export async function readConversations(ctx: AccountContext, asked: Asked): Promise<Listed[]> {
  const found = await findConversations(ctx, asked);
  if (isPermitted(ctx.actor, 'messages:read')) return found;
  return found.map(({ conversation, cursor }) => ({ conversation: { ...conversation, ...withheld }, cursor }));
}

/** With whom they are with and their latest messages, whoever asks: for events as well. */
async function findConversations(ctx: AccountContext, { condition, limit }: Asked): Promise<Listed[]> {
  const { rows } = await sql<ShownRow>`
    with page as (
      select * from conversations c
       where c.account_id = ${ctx.account.id} and ${inScope(ctx, 'c.project_id')} and ${condition}
       order by c.last_message_id desc
       limit ${limit}
    )
    select page.*, p.id as profile_id, p.name as profile_name,
           ${optedOutAt(sql`page.account_id`, sql`page.contact_key`)} is not null as opted_out,
           cw.expires_at as window_expires_at, ${assigneeOf('page')} as assignee_id,
           ${labelsOf('page')} as labels
      from page
      left join contact_windows cw on cw.phone_id = page.phone_id and cw.contact_key = page.contact_key
      left join lateral (
        select id, name from profiles
         where profiles.account_id = page.account_id and phone_key(profiles.phone) = page.contact_key
           and not profiles.is_twin
         limit 1
      ) p on true
     order by page.last_message_id desc
  `.execute(ctx.db);
  const messages = await readMessages(
    ctx,
    rows.map((row) => row.last_message_id),
  );
  const byId = new Map(messages.map((message) => [message.id, message]));
  const now = ctx.clock.now();
  return rows.map((row) => {
    const message = byId.get(row.last_message_id);
    const conversation = { ...present(row, now), last_message: message ? presentMessage(message) : null };
    return { conversation, cursor: row.last_message_id };
  });
}

/** Without messages:read a conversation is changed by its id, and not read. */
const withheld = {
  name: null,
  phone: null,
  lid: null,
  profile_id: null,
  labels: [] as string[],
  may_want_to_opt_out: false,
  last_message: null,
} as const;

function present(row: ShownRow, now: Date): Omit<Conversation, 'last_message'> {
  return {
    id: row.id,
    project_id: row.project_id,
    profile_id: row.profile_id,
    name: row.profile_name ?? row.contact_name,
    phone: row.phone,
    lid: lidOf(row.contact_key) ?? null,
    phone_id: row.phone_id,
    window_expires_at: row.window_expires_at?.toISOString() ?? null,
    status: row.status,
    unread_count: row.unread_count,
    assigned_to: row.assignee_id,
    snoozed_until: row.snoozed_until !== null && row.snoozed_until > now ? row.snoozed_until.toISOString() : null,
    labels: row.labels,
    opted_out: row.opted_out,
    may_want_to_opt_out: row.may_want_to_opt_out && !row.opted_out,
    last_message_at: row.last_message_at.toISOString(),
  };
}

export async function readConversation(ctx: AccountContext, conversationId: number): Promise<Conversation> {
  const [found] = await readConversations(ctx, { condition: sql`c.id = ${conversationId}`, limit: 1 });
  if (!found) throw new NotFoundError('Conversation');
  return found.conversation;
}

/** As webhooks tell of it: the endpoint's permission decides who may read that. */
export async function readForEvent(ctx: AccountContext, conversationId: number): Promise<Conversation> {
  const [found] = await findConversations(ctx, { condition: sql`c.id = ${conversationId}`, limit: 1 });
  if (!found) throw new NotFoundError('Conversation');
  return found.conversation;
}

/** The row itself; locked in a transaction that changes it. */
export async function getConversationRow(
  ctx: AccountContext,
  conversationId: number,
  { isLocked = false } = {},
): Promise<ConversationRow> {
  const row = await ctx.db
    .selectFrom('conversations')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', conversationId)
    .where(inScope(ctx))
    .$if(isLocked, (query) => query.forUpdate())
    .executeTakeFirst();
  if (!row) throw new NotFoundError('Conversation');
  return row;
}
