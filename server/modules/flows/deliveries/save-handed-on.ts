import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
import { skipText } from '#server/modules/recipients/index.ts';
import type { SkipReason } from '#server/modules/recipients/index.ts';
import type { FlowRow } from '../present.ts';

/** What became of a delivery whose turn had come. */
export type HandedOn = {
  deliveryId: number;
  profileId: number;
  outcome: { kind: 'queued'; messageId: number; to: string } | { kind: 'skipped'; reason: SkipReason };
};

/** What is put right in the profile lets the flow take it on anew; what lies in the message counts as had. */
const isOfProfile = (reason: SkipReason) => reason !== 'empty_message' && reason !== 'message_too_long';

/** Writes it to the ledger, by the project that the flow sends with now. */
export async function saveHandedOn(tx: Tx, flow: FlowRow, handedOn: readonly HandedOn[]): Promise<void> {
  if (handedOn.length === 0) return;
  const queued = handedOn.map(({ outcome }) => (outcome.kind === 'queued' ? outcome : undefined));
  const reasons = handedOn.map(({ outcome }) => (outcome.kind === 'skipped' ? skipText(outcome.reason) : null));
  await sql`
    /* prepared: save-handed-on */
    update flow_deliveries d
       set status = case when x.message_id is null then 'skipped' else 'queued' end,
           message_id = x.message_id, phone = coalesce(x.phone, d.phone), reason = x.reason,
           project_id = ${flow.project_id}
      from unnest(${handedOn.map(({ deliveryId }) => deliveryId)}::bigint[],
                  ${queued.map((outcome) => outcome?.messageId ?? null)}::bigint[],
                  ${queued.map((outcome) => outcome?.to ?? null)}::text[],
                  ${reasons}::text[]) as x (id, message_id, phone, reason)
     where d.account_id = ${flow.account_id} and d.flow_id = ${flow.id} and d.id = x.id
  `.execute(tx.db);
  await releaseSkipped(tx, flow, handedOn);
}

async function releaseSkipped(tx: Tx, flow: FlowRow, handedOn: readonly HandedOn[]): Promise<void> {
  const skipped = handedOn.flatMap(({ profileId, outcome }) =>
    outcome.kind === 'skipped' ? [{ profileId, isFree: isOfProfile(outcome.reason) }] : [],
  );
  if (skipped.length === 0) return;
  const idsOf = (isFree: boolean) => skipped.filter((one) => one.isFree === isFree).map(({ profileId }) => profileId);
  await sql`
    delete from flow_profiles
     where account_id = ${flow.account_id} and flow_id = ${flow.id} and profile_id = any(${idsOf(true)}::bigint[])
  `.execute(tx.db);
  await sql`
    update flow_profiles set last_at = ${tx.clock.now()}
     where account_id = ${flow.account_id} and flow_id = ${flow.id} and profile_id = any(${idsOf(false)}::bigint[])
  `.execute(tx.db);
}
