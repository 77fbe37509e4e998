import type { Recipient } from '#contracts/campaigns.ts';
import type { FailureCode } from '#contracts/failure-codes.ts';
import { presentStatus } from '#server/modules/messaging/messages/index.ts';
import type { StoredMessageStatus } from '#server/modules/messaging/messages/index.ts';
import { entryCode } from '../skip-reason.ts';
import type { LedgerStatus } from '../tables.ts';
import { presentLedgerStatus } from './entry-status.ts';

/** An entry with what became of its message. */
export type StoredEntry = {
  phone: string;
  status: LedgerStatus;
  message_status: StoredMessageStatus | null;
  message_id: number | null;
  reason: string | null;
  error_code: FailureCode | null;
  changed_at: Date | null;
  replied_at: Date | null;
  clicked_at: Date | null;
};

/** `brokenOff`: why and when its source was; an entry that waited then still does in the ledger. */
export function presentEntry(
  row: StoredEntry,
  brokenOff: { reason: string; at: Date | null } | undefined,
): Omit<Recipient, 'profile_id' | 'is_profile_deleted' | 'name'> {
  const left = row.status === 'waiting' ? brokenOff : undefined;
  const status = left ? 'skipped' : presentLedgerStatus(row.status);
  const changedAt = left ? left.at : row.changed_at;
  return {
    phone: row.phone,
    status,
    message_status: row.message_status && presentStatus(row.message_status),
    message_id: row.message_id,
    error: left ? left.reason : row.reason,
    error_code: entryCode({ ...row, status }),
    changed_at: changedAt?.toISOString() ?? null,
    replied_at: row.replied_at?.toISOString() ?? null,
    clicked_at: row.clicked_at?.toISOString() ?? null,
  };
}
