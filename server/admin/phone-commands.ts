import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { messageTraceOf } from '#server/message-trace.ts';
import { recordOperatorAct } from '#server/modules/identity/operators/index.ts';
import { breakLease } from '#server/modules/numbers/links/index.ts';
import { isLeaseHeld, leaseEnd, phoneNotifications } from '#server/modules/numbers/phones/index.ts';
import { notify } from '#server/platform/db/notify.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { isUnsent } from '#server/unsent.ts';
import { operatorName, readId, UsageError } from './run-command.ts';
import type { Answer, Command, Input } from './run-command.ts';

const mostListed = 500;
/** Of phones with the same number. */
const mostNamed = 20;

type Found = { account_id: number; id: number };

/** By id, or by its number with or without a plus. */
async function findPhone(ctx: Context, text: string): Promise<Found> {
  const digits = text.replaceAll(/\D/g, '');
  const { rows } = await sql<Found>`
    select account_id, id from phones where id::text = ${text} or number = ${digits} order by id limit ${mostNamed}
  `.execute(ctx.db);
  const [found, ...others] = rows;
  if (!found) throw new NotFoundError('Phone');
  if (others.length > 0) {
    const named = rows.map(({ account_id: accountId, id }) => `${id} (account ${accountId})`).join(', ');
    throw new UsageError(`${text} is the number of several phones. Ask for one by its id: ${named}`);
  }
  return found;
}

async function showPhone(ctx: Context, text: string): Promise<Answer> {
  const { account_id: accountId, id } = await findPhone(ctx, text);
  const { rows } = await sql<Record<string, unknown>>`
    select p.id, p.account_id, p.project_id, p.number, p.connector, p.status, p.error, p.status_changed_at, p.wanted,
           p.is_active, p.sign_out_requested, p.daily_count, p.max_daily_messages, p.last_used_at, p.proxy,
           l.owner as held_by, l.token as lease_token, ${leaseEnd()} as lease_until,
           h.state as health, h.code as health_code, h.until as health_until, h.all_stopped_until, h.first_stopped_until,
           (select count(*)::int from messages m where m.phone_id = p.id and m.status = 'pending' and ${isUnsent('m')}) as waiting,
           (select count(*)::int from messages m where m.phone_id = p.id and m.status = 'sending' and ${isUnsent('m')}) as sending,
           (select min(created_at) from messages m where m.phone_id = p.id and m.status = 'pending' and ${isUnsent('m')}) as oldest_waiting_at
      from phones p
      left join phone_leases l on l.phone_id = p.id
      left join phone_health h on h.account_id = p.account_id and h.phone_id = p.id
     where p.account_id = ${accountId} and p.id = ${id}
  `.execute(ctx.db);
  return rows[0] ?? {};
}

/** Phones whose owner wants them connected and that are not: the longest away first. */
async function listAway(ctx: Context): Promise<Answer> {
  const { rows } = await sql<Record<string, unknown>>`
    select p.id, p.account_id, p.number, p.connector, p.status, p.error, p.status_changed_at as since,
           l.owner as held_by, h.state as health
      from phones p
      left join phone_leases l on l.phone_id = p.id and ${isLeaseHeld()}
      left join phone_health h on h.account_id = p.account_id and h.phone_id = p.id
     where p.number is not null and p.was_connected and p.is_active and p.status <> 'connected'
       and (p.wanted <> 'offline' or p.status in ('auth_failed', 'banned'))
     order by p.status_changed_at limit ${mostListed}
  `.execute(ctx.db);
  return rows;
}

async function release(ctx: Context, input: Input): Promise<Answer> {
  const phone = await findPhone(ctx, input.args[0] ?? '');
  await inTransaction(ctx, async (tx) => {
    const wasHeld = await breakLease(tx, phone.id);
    await notify(tx.db, phoneNotifications([phone.id]));
    await recordOperatorAct(tx, {
      operator: operatorName(input),
      action: 'phones release',
      accountId: phone.account_id,
      target: `phone ${phone.id}`,
      details: { wasHeld },
    });
  });
  return showPhone(ctx, String(phone.id));
}

/** A message with all that is known of its way, and what it waits for. */
async function traceMessage(ctx: Context, messageId: number): Promise<Answer> {
  const { rows } = await sql<Traced>`
    select m.id, m.account_id, m.project_id, m.phone_id, m.direction, m.status, m.error_code, m.error, m.network_id,
           m.campaign_id, m.flow_id, m.bulk_run_id, m.is_queued, m.attempts, m.retry_at, m.due_at, m.lease_token,
           m.created_at, m.sent_at, m.delivered_at, m.read_at,
           round(extract(epoch from m.sent_at - m.created_at)::numeric, 1)::float as seconds_until_sent,
           p.status as phone_status, p.error as phone_error, p.status_changed_at as phone_since,
           l.owner as held_by, ${leaseEnd()} as lease_until, l.token as phone_lease_token,
           h.state as health, h.code as health_code, h.all_stopped_until, h.first_stopped_until, h.is_protected as keeps_pace,
           a.access_until, a.suspended_at,
           (select count(*)::int from messages e where e.phone_id = m.phone_id and e.status = 'pending' and ${isUnsent('e')}
               and e.id < m.id)
             as waiting_before_it,
           (select coalesce(json_agg(json_build_object(
                     'id', w.id, 'type', w.type, 'url', w.url, 'status', w.status, 'attempts', w.attempts,
                     'last_status_code', w.last_status_code, 'error', w.error, 'next_attempt_at', w.next_attempt_at,
                     'created_at', w.created_at) order by w.id), '[]')
              from webhook_records w
             where w.account_id = m.account_id and w.project_id = m.project_id and w.message_id = m.id
               and w.id > m.id) as webhooks
      from messages m
      join accounts a on a.id = m.account_id
      left join phones p on p.account_id = m.account_id and p.id = m.phone_id
      left join phone_leases l on l.phone_id = m.phone_id
      left join phone_health h on h.account_id = m.account_id and h.phone_id = m.phone_id
     where m.id = ${messageId}
  `.execute(ctx.db);
  if (!rows[0]) throw new NotFoundError('Message');
  return { why: whyOf(rows[0], ctx.clock.now()), trace_id: messageTraceOf(ctx, messageId), ...rows[0] };
}

type Traced = Record<string, unknown> & {
  error: string | null;
  error_code: string | null;
  phone_error: string | null;
  phone_status: string | null;
};

/** The first of the known reasons, in the order in which they hold a message back. */
function whyOf(row: Traced, now: Date): string {
  const { phone_status: phone } = row;
  const status = row['status'];
  const isLater = (value: unknown) => value instanceof Date && value > now;
  if (status === 'failed') return `It failed: ${row.error ?? row.error_code}`;
  if (row['sent_at'] instanceof Date) return `It was sent ${String(row['seconds_until_sent'])} s after it was accepted`;
  if (row['direction'] === 'incoming') return 'It came from outside';
  if (row['suspended_at'] !== null) return 'The account is suspended';
  if (!isLater(row['access_until']) && row['access_until'] !== Infinity) return 'The account has no open subscription';
  if (isLater(row['due_at'])) return 'It is scheduled for later';
  if (status === 'scheduled' || status === 'deferred') return 'No phone of its project could take it yet';
  if (phone === null) return 'Its phone is gone';
  if (phone !== 'connected') return `Its phone is ${phone}: ${row.phone_error ?? 'no reason was given'}`;
  if (!isLater(row['lease_until'])) return 'No process holds its phone: see that one runs with ROLES=worker';
  if (isLater(row['all_stopped_until'])) return 'The network takes nothing of its phone for now';
  if (isLater(row['retry_at'])) return 'It is tried again later, as the network gave no answer';
  if (status === 'sending') return 'It was handed to the network, which has not answered';
  if (row['keeps_pace'] === true && row['is_queued'] === true) return 'Its phone keeps a pace; see `phones show`';
  return `${String(row['waiting_before_it'])} messages wait before it at its phone`;
}

export const phoneCommands: readonly Command[] = [
  {
    words: 'phones show',
    usage: 'ID|NUMBER',
    summary: 'a phone: who holds it, what waits for it, what the network says of it',
    takes: 1,
    run: (ctx, { args }) => showPhone(ctx, args[0] ?? ''),
  },
  {
    words: 'phones away',
    usage: '',
    summary: 'phones that should be connected and are not, with why, the longest away first',
    takes: 0,
    run: listAway,
  },
  {
    words: 'phones release',
    usage: 'ID|NUMBER',
    summary: 'takes a phone from the process that holds it; another one connects it',
    takes: 1,
    run: release,
  },
  {
    words: 'messages trace',
    usage: 'ID',
    summary: 'a message through every state, with its webhooks and what it waits for',
    takes: 1,
    run: (ctx, { args }) => traceMessage(ctx, readId(args[0])),
  },
];
