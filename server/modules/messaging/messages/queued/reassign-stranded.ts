import { sql } from 'kysely';
import { isUnsent } from '#server/unsent.ts';
import { storedBusinessAccount } from '../content/columns.ts';
import type { Context, ProjectScope, Tx } from '#server/context.ts';
import { liveNotifications } from '#server/modules/identity/live/index.ts';
import {
  countedDays,
  countUses,
  findShutPhones,
  giveCountsBack,
  lockPhones,
  phoneOf,
} from '#server/modules/numbers/phones/index.ts';
import type { Counted, Moment, RotationPhone } from '#server/modules/numbers/phones/index.ts';
import { outboxNotifications } from '#server/modules/numbers/phones/index.ts';
import { notify } from '#server/platform/db/notify.ts';
import type { MessageOrigin } from '../accept-message.ts';
import { assignQueued } from './assign-queued.ts';

type Scope = Context & ProjectScope;

/** The most messages that one transaction moves. */
const largestBatch = 200;

/**
 * Gives what a campaign or a flow has in the outbox of phones that are not connected to the project's other phones, so
 * that a phone that was banned does not hold it up for ever. A message that its phone has tried to send stays with that
 * phone: another would send it under another id. Answers whether something still waits for a phone that is not connected.
 */
export async function reassignStranded(tx: Tx<Scope>, origin: MessageOrigin): Promise<boolean> {
  if (!(await isAnyStranded(tx, origin))) return false;
  const phones = await lockPhones(tx);
  const stranded = await lockStranded(tx, origin, phones);
  const at = { now: tx.clock.now(), timezone: tx.account.timezone };
  const numbers = stranded.map(({ recipient }) => recipient);
  const addressed = stranded.map(({ recipient, business }) => ({
    to: recipient,
    businessAccountId: business ?? undefined,
  }));
  const shut = await findShutPhones(tx, phones, addressed);
  const assignments = await assignQueued(tx, phones, { numbers, shut });
  const moves = stranded.flatMap((message, index) => {
    const assignment = assignments[index];
    return assignment?.kind === 'phone' ? [{ message, phone: phoneOf(phones, assignment.phoneId) }] : [];
  });
  await saveMoves(tx, moves, at);
  return isAnyStranded(tx, origin);
}

/** Of the origin alone; fenced, so that the index of what waits for a phone leads there. */
const strandedOf = (tx: Tx<Scope>, { campaignId, flowId, bulkRunId }: MessageOrigin) => sql`
    from (select account_id, id from phones
           where account_id = ${tx.account.id} and project_id = ${tx.projectId} and status <> 'connected'
          offset 0) as p
   cross join lateral (
     select id, network_id from messages
      where account_id = p.account_id and phone_id = p.id and status = 'pending' and ${isUnsent()}
        and (campaign_id = ${campaignId ?? null}::bigint or flow_id = ${flowId ?? null}::bigint
               or bulk_run_id = ${bulkRunId ?? null}::bigint)
     offset 0
   ) as m`;

async function isAnyStranded(tx: Tx<Scope>, origin: MessageOrigin): Promise<boolean> {
  const { rows } = await sql`select 1 ${strandedOf(tx, origin)} limit 1`.execute(tx.db);
  return rows.length > 0;
}

async function lockStranded(
  tx: Tx<Scope>,
  { campaignId, flowId, bulkRunId }: MessageOrigin,
  phones: readonly RotationPhone[],
): Promise<Stranded[]> {
  const away = phones.filter(({ status }) => status !== 'connected').map(({ id }) => id);
  const { rows } = await sql<Stranded>`
    select m.id, m.phone_id, m.recipient, m.counted_day, ${storedBusinessAccount} as business from messages m
     where account_id = ${tx.account.id} and phone_id = any(${away}::bigint[]) and status = 'pending'
       and ${isUnsent('m')}
       and network_id is null
       and (campaign_id = ${campaignId ?? null}::bigint or flow_id = ${flowId ?? null}::bigint
               or bulk_run_id = ${bulkRunId ?? null}::bigint)
     order by id
     limit ${largestBatch}
       for update skip locked
  `.execute(tx.db);
  return rows;
}

/** `business`: the business account of a template. */
type Stranded = Counted & { id: number; recipient: string; business: string | null };
type Move = { message: Stranded; phone: RotationPhone };

/** The phone that it leaves counts it no longer. */
async function saveMoves(tx: Tx<Scope>, moves: readonly Move[], at: Moment): Promise<void> {
  if (moves.length === 0) return;
  const messageIds = moves.map(({ message }) => message.id);
  await giveCountsBack(
    tx,
    tx.account.id,
    moves.map(({ message }) => message),
  );
  const chosen = moves.map(({ phone }) => phone);
  const phoneIds = chosen.map(({ id }) => id);
  const days = countedDays(chosen, at);
  await sql`
    with counted as (${countUses(tx, chosen, at.now)})
    update messages m set phone_id = x.phone_id, sender = x.sender, counted_day = x.day
      from unnest(${messageIds}::bigint[], ${phoneIds}::bigint[],
                  ${moves.map(({ phone }) => phone.number)}::text[],
                  ${phoneIds.map((id) => days.get(id))}::date[]) as x (id, phone_id, sender, day)
     where m.account_id = ${tx.account.id} and m.id = x.id
  `.execute(tx.db);
  await notify(tx.db, [
    ...outboxNotifications([...new Set(phoneIds)]),
    ...liveNotifications(tx.account.id, {
      type: 'messages.changed',
      project_id: tx.projectId,
      message_ids: messageIds,
    }),
  ]);
}
