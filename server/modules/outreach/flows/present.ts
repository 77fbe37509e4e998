import type { Flow } from '#contracts/flows.ts';
import type { SourceRules } from '#server/modules/audience/topics/index.ts';
import type { Outcomes } from '#server/modules/outreach/outcomes/index.ts';
import { presentTemplateOf } from '#server/modules/outreach/recipients/index.ts';
import type { FlowRow } from './tables.ts';
import { audienceOf } from './running/audience.ts';

/** With what came of its messages. */
export type FlowRecord = FlowRow & { outcomes: Outcomes; rules: SourceRules; clicked: number };

export function presentFlow(row: FlowRecord): Flow {
  const audience = audienceOf(row);
  return {
    id: row.id,
    name: row.name,
    conditions: audience.conditions,
    expression: audience.expression,
    exclude_segment_ids: [...audience.exclude_segment_ids],
    audience_project_ids: row.audience_project_ids,
    ...row.rules,
    duration: audience.duration,
    action: {
      type: 'send_message',
      projectId: row.project_id,
      project_id: row.project_id,
      message: row.message,
      media: row.media,
      template: presentTemplateOf(row),
    },
    frequency: row.frequency,
    active: row.is_active,
    last_run_at: row.last_run_at?.toISOString() ?? null,
    waiting_for: row.waiting_for,
    waiting_until: row.waiting_for === null ? null : (row.waiting_until?.toISOString() ?? null),
    last_error: row.last_error,
    next_try_at: row.last_error === null ? null : (row.next_run_at?.toISOString() ?? null),
    counts: {
      waiting: row.waiting_count + row.queued_count,
      sent: row.sent_count,
      failed: row.failed_count,
      skipped: row.skipped_count,
      ...row.outcomes,
      clicked: row.clicked,
    },
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
