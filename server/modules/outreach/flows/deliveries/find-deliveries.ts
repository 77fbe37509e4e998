import { sql } from 'kysely';
import type { FailureCode } from '#contracts/failure-codes.ts';
import type { FlowDelivery } from '#contracts/flows.ts';
import { isPermitted } from '#server/actor.ts';
import type { AccountContext, Context } from '#server/context.ts';
import { presentStatus } from '#server/modules/messaging/messages/index.ts';
import type { StoredMessageStatus } from '#server/modules/messaging/messages/index.ts';
import {
  entryCode,
  fillForProfile,
  narrowEntries,
  presentLedgerStatus,
} from '#server/modules/outreach/recipients/index.ts';
import type {
  LedgerStatus,
  NarrowedEntries,
  Narrowing,
  RecipientProfile,
} from '#server/modules/outreach/recipients/index.ts';
import { readsAllContacts } from '#server/scope.ts';
import { exampleLinks } from '#server/modules/outreach/links/index.ts';
import { flowLedger } from '../flow-ledger.ts';
import type { FlowRow } from '../tables.ts';

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
  clicked_at: Date | null;
  /** Null when the profile is gone, and with it all its columns. */
  id: number | null;
} & RecipientProfile;

type Slice = { after?: number | undefined; limit: number; offset?: number };

/** Deliveries that waited at the last change are discarded, though they may still be there. */
const discardedUntil = (flow: FlowRow) => flow.discard_until ?? 0;

export const narrowDeliveries = (ctx: Context, flow: FlowRow, narrowing: Narrowing): Promise<NarrowedEntries> =>
  narrowEntries(
    ctx,
    {
      ledger: flowLedger,
      accountId: flow.account_id,
      sourceId: flow.id,
      fedUntil: discardedUntil(flow),
      brokenOff: undefined,
    },
    narrowing,
  );

/** Some of those that are narrowed to, newest first; those that wait read as they would now. */
export async function findDeliveries(
  ctx: AccountContext,
  flow: FlowRow,
  { entries }: NarrowedEntries,
  { after, limit, offset = 0 }: Slice,
): Promise<FlowDelivery[]> {
  const { rows } = await sql<DeliveryRow>`
    select d.id as delivery_id, d.profile_id as delivery_profile_id, d.project_id as delivery_project_id,
           d.phone as delivery_phone, d.status as delivery_status, coalesce(m.body, d.body) as body, d.message_id, m.status as message_status,
           m.error_code, d.reason, d.sent_at, d.created_at as delivery_created_at,
           a.answered_at as replied_at, c.clicked_at, p.*
      from (select * from ${entries}
             where (status <> 'waiting' or id > ${discardedUntil(flow)})
               and ${after === undefined ? sql`true` : sql`id < ${after}`}
             order by id desc limit ${limit} offset ${offset}) as d
      left join profiles p on p.account_id = d.account_id and p.id = d.profile_id
      left join messages m on m.account_id = d.account_id and m.id = d.message_id
      left join message_answers a on a.account_id = d.account_id and a.message_id = d.message_id
      left join message_clicks c on c.account_id = d.account_id and c.message_id = d.message_id
     order by d.id desc
  `.execute(ctx.db);
  const message = await exampleLinks(ctx, flow.message);
  const mayReadContacts = readsAllContacts(ctx);
  const mayReadMessages = isPermitted(ctx.actor, 'messages:read');
  return rows.map((row) => ({
    ...presentDelivery({ ...flow, message }, row),
    ...(!mayReadContacts && { profile_name: null }),
    ...(!mayReadMessages && { message: null }),
  }));
}

function presentDelivery(flow: FlowRow, row: DeliveryRow): FlowDelivery {
  const profile = row.id === null ? undefined : row;
  const status = presentLedgerStatus(row.delivery_status);
  return {
    id: row.delivery_id,
    profile_id: row.delivery_profile_id,
    is_profile_deleted: profile === undefined,
    profile_name: profile?.name ?? null,
    phone: profile?.phone ?? row.delivery_phone,
    project_id: row.delivery_status === 'waiting' ? flow.project_id : row.delivery_project_id,
    sent_at: row.sent_at?.toISOString() ?? null,
    created_at: row.delivery_created_at.toISOString(),
    message: row.body ?? (profile ? fillForProfile(flow.template?.text ?? flow.message, profile) : ''),
    status,
    message_id: row.message_id,
    message_status: row.message_status && presentStatus(row.message_status),
    error: row.reason,
    error_code: entryCode({ ...row, status }),
    replied_at: row.replied_at?.toISOString() ?? null,
    clicked_at: row.clicked_at?.toISOString() ?? null,
  };
}
