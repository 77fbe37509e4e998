import { sql } from 'kysely';
import type { EntryFilter } from '#contracts/campaigns.ts';
import type { FailureCode } from '#contracts/failure-codes.ts';
import type { FlowDelivery } from '#contracts/flows.ts';
import type { AccountContext } from '#server/context.ts';
import { presentStatus } from '#server/modules/messages/index.ts';
import type { StoredMessageStatus } from '#server/modules/messages/index.ts';
import { countEntries, entriesWith, fillForProfile, presentLedgerStatus } from '#server/modules/recipients/index.ts';
import type { LedgerStatus, RecipientProfile } from '#server/modules/recipients/index.ts';
import { flowLedger } from '../flow-ledger.ts';
import type { FlowRow } from '../present.ts';
import { getFlowRow } from '../queries.ts';

type ListDeliveries = { flowId: number; page: number; pageSize: number; status?: EntryFilter | undefined };
type Page = { deliveries: FlowDelivery[]; total: number; page: number; pageSize: number };

type DeliveryRow = {
  delivery_id: number;
  delivery_profile_id: number;
  delivery_project_id: number;
  delivery_phone: string;
  delivery_status: LedgerStatus;
  body: string | null;
  message_id: number | null;
  message_status: StoredMessageStatus | null;
  reason: string | null;
  error_code: FailureCode | null;
  sent_at: Date | null;
  delivery_created_at: Date;
  replied_at: Date | null;
  /** Null when the profile is gone, and with it all its columns. */
  id: number | null;
} & RecipientProfile;

/** Newest first; those that wait read as they would now. */
export async function listDeliveries(ctx: AccountContext, input: ListDeliveries): Promise<Page> {
  const { flowId, page, pageSize, status } = input;
  const flow = await getFlowRow(ctx, flowId);
  // What waited when it was last changed is discarded, though it may still be there.
  const discardedUntil = flow.discard_until ?? 0;
  const entries = {
    ledger: flowLedger,
    accountId: ctx.account.id,
    sourceId: flowId,
    fedUntil: discardedUntil,
    isBrokenOff: false,
  };
  const { rows } = await sql<DeliveryRow>`
    select d.id as delivery_id, d.profile_id as delivery_profile_id, d.project_id as delivery_project_id,
           d.phone as delivery_phone, d.status as delivery_status, coalesce(m.body, d.body) as body, d.message_id, m.status as message_status,
           m.error_code, d.reason, d.sent_at, d.created_at as delivery_created_at,
           a.answered_at as replied_at, p.*
      from (select * from ${await entriesWith(ctx, entries, status)}
             where status <> 'waiting' or id > ${discardedUntil}
             order by id desc limit ${pageSize} offset ${(page - 1) * pageSize}) as d
      left join profiles p on p.account_id = d.account_id and p.id = d.profile_id
      left join messages m on m.account_id = d.account_id and m.id = d.message_id
      left join message_answers a on a.account_id = d.account_id and a.message_id = d.message_id
     order by d.id desc
  `.execute(ctx.db);
  const counts = { ...flow, total_count: totalOf(flow) };
  const total = await countEntries(ctx, { ledger: flowLedger, sourceId: flowId, counts }, status);
  return { deliveries: rows.map((row) => presentDelivery(flow, row)), total, page, pageSize };
}

const totalOf = (flow: FlowRow) =>
  flow.waiting_count + flow.queued_count + flow.sent_count + flow.failed_count + flow.skipped_count;

function presentDelivery(flow: FlowRow, row: DeliveryRow): FlowDelivery {
  const profile = row.id === null ? undefined : row;
  return {
    id: row.delivery_id,
    profile_id: row.delivery_profile_id,
    is_profile_deleted: profile === undefined,
    profile_name: profile?.name ?? null,
    phone: profile?.phone ?? row.delivery_phone,
    project_id: row.delivery_status === 'waiting' ? flow.project_id : row.delivery_project_id,
    sent_at: row.sent_at?.toISOString() ?? null,
    created_at: row.delivery_created_at.toISOString(),
    message: row.body ?? (profile ? fillForProfile(flow.message, profile) : ''),
    status: presentLedgerStatus(row.delivery_status),
    message_id: row.message_id,
    message_status: row.message_status && presentStatus(row.message_status),
    error: row.reason,
    error_code: row.error_code,
    replied_at: row.replied_at?.toISOString() ?? null,
  };
}
