import type { BulkRun } from '#contracts/bulk-runs.ts';
import { presentTemplateOf } from '#server/modules/outreach/recipients/index.ts';
import type { SourceRules } from '#server/modules/audience/topics/index.ts';
import type { BulkRunRow } from './bulk-run.ts';

/** With its rules. */
export type BulkRunRecord = BulkRunRow & { rules: SourceRules };

/** Of a row whose tallies are added up. */
export function presentBulkRun(row: BulkRunRecord): BulkRun {
  return {
    id: row.id,
    name: row.name,
    project_id: row.project_id,
    message: row.message,
    media: row.media,
    template: presentTemplateOf(row),
    delay_ms: row.delay_ms,
    topic_id: row.rules.topic_id,
    status: row.status,
    waiting_for: row.waiting_for,
    waiting_until: row.waiting_for === null ? null : (row.waiting_until?.toISOString() ?? null),
    columns: row.columns,
    is_uploading: row.is_uploading,
    total_count: row.total_count,
    sent_count: row.sent_count,
    failed_count: row.failed_count,
    skipped_count: row.skipped_count,
    waiting_count: row.total_count - row.sent_count - row.failed_count - row.skipped_count,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
