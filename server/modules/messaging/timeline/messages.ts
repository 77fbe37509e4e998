import { sql } from 'kysely';
import type { Message } from '#contracts/messages.ts';
import type { TimelineEntry } from '#contracts/timeline.ts';
import { isPermitted } from '#server/actor.ts';
import type { AccountContext } from '#server/context.ts';
import { presentMessage } from '#server/modules/messaging/messages/index.ts';
import { inScope } from '#server/scope.ts';
import type { Source } from './source.ts';

type MessageEntry = Extract<TimelineEntry, { kind: 'message' }>;

/** Messages to and from the person, in the order of the ids. */
export const messagesOf: Source = async (ctx, { id: profileId }, { place, before, limit }) => {
  const rows = await ctx.db
    .selectFrom('messages')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('profile_id', '=', profileId)
    .where(inScope(ctx))
    .where(place === undefined ? sql<boolean>`true` : sql<boolean>`id < ${Number(place)}`)
    .where(before ? sql<boolean>`created_at < ${before}::timestamptz` : sql<boolean>`true`)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const messages = rows.map(presentMessage);
  const mayRead = isPermitted(ctx.actor, 'messages:read');
  const names =
    mayRead && isPermitted(ctx.actor, 'campaigns:read') ? await findNames(ctx, messages) : new Map<string, string>();
  const clicks = mayRead ? await findClicks(ctx, messages) : new Map<number, MessageEntry['clicks']>();
  return messages.map((message) => ({
    at: new Date(message.created_at),
    place: String(message.id),
    entry: present(message, { mayRead, names, clicks }),
  }));
};

type About = {
  mayRead: boolean;
  names: ReadonlyMap<string, string>;
  clicks: ReadonlyMap<number, MessageEntry['clicks']>;
};

function present(message: Message, { mayRead, names, clicks }: About): MessageEntry {
  const source = sourceOf(message);
  return {
    id: `message:${message.id}`,
    kind: 'message',
    at: message.created_at,
    message_id: message.id,
    project_id: message.project_id,
    direction: message.direction,
    type: message.type,
    status: message.status,
    error_code: message.error_code,
    text: mayRead ? message.message : null,
    source: message.source,
    source_id: source?.id ?? null,
    source_name: (source && names.get(keyOf(source))) ?? null,
    clicks: clicks.get(message.id) ?? [],
  };
}

type SourceRef = { table: 'campaigns' | 'flows' | 'bulk_runs'; id: number };

function sourceOf({ campaign_id: campaign, flow_id: flow, bulk_run_id: run }: Message): SourceRef | undefined {
  if (campaign !== null) return { table: 'campaigns', id: campaign };
  if (flow !== null) return { table: 'flows', id: flow };
  return run === null ? undefined : { table: 'bulk_runs', id: run };
}

const keyOf = ({ table, id }: SourceRef) => `${table}:${id}`;

/** Names of what sent the messages and is still there. */
async function findNames(ctx: AccountContext, messages: readonly Message[]): Promise<Map<string, string>> {
  const refs = messages.flatMap((message) => sourceOf(message) ?? []);
  const names = new Map<string, string>();
  for (const table of ['campaigns', 'flows', 'bulk_runs'] as const) {
    const ids = [...new Set(refs.filter((ref) => ref.table === table).map(({ id }) => id))];
    if (ids.length === 0) continue;
    const { rows } = await sql<{ id: number; name: string }>`
      select id, name from ${sql.table(table)} where account_id = ${ctx.account.id} and id = any(${ids}::bigint[])
    `.execute(ctx.db);
    for (const { id, name } of rows) names.set(keyOf({ table, id }), name);
  }
  return names;
}

/** First openings of links, by their messages. */
async function findClicks(
  ctx: AccountContext,
  messages: readonly Message[],
): Promise<Map<number, MessageEntry['clicks']>> {
  const ids = messages.filter((message) => sourceOf(message) !== undefined).map(({ id }) => id);
  const clicks = new Map<number, MessageEntry['clicks']>();
  if (ids.length === 0) return clicks;
  const { rows } = await sql<{ messageId: number; url: string; at: Date }>`
    select m.message_id as "messageId", l.url, c.clicked_at as at
      from message_clicks m
      join links l on l.account_id = m.account_id and l.source = m.source and l.source_id = m.source_id
      join link_clicks c on c.account_id = m.account_id and c.link_id = l.id and c.message_id = m.message_id
     where m.account_id = ${ctx.account.id} and m.message_id = any(${ids}::bigint[])
     order by c.clicked_at
  `.execute(ctx.db);
  for (const { messageId, url, at } of rows) {
    clicks.set(messageId, [...(clicks.get(messageId) ?? []), { url, at: at.toISOString() }]);
  }
  return clicks;
}
