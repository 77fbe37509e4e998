import type { BulkAction, BulkActionName, BulkResource } from '#contracts/bulk-actions.ts';

const nouns: Record<BulkResource, [one: string, many: string]> = {
  profiles: ['profile', 'profiles'],
  campaigns: ['campaign', 'campaigns'],
  flows: ['flow', 'flows'],
  segments: ['segment', 'segments'],
  phones: ['phone', 'phones'],
  templates: ['template', 'templates'],
};

const verbs: Record<BulkActionName, [doing: string, done: string]> = {
  tag: ['Tagging', 'tagged'],
  untag: ['Untagging', 'untagged'],
  opt_out: ['Opting out', 'opted out'],
  delete: ['Deleting', 'deleted'],
  pause: ['Pausing', 'paused'],
  resume: ['Resuming', 'resumed'],
  cancel: ['Cancelling', 'cancelled'],
  activate: ['Activating', 'activated'],
  deactivate: ['Deactivating', 'deactivated'],
  disconnect: ['Disconnecting', 'disconnected'],
};

/** `1,204 profiles` */
export function countOf(resource: BulkResource, count: number): string {
  return `${count.toLocaleString('en')} ${nouns[resource][count === 1 ? 0 : 1]}`;
}

/** `Tagging 1,204 profiles`, `1,200 profiles tagged`, `1,200 profiles are as before` */
export function bulkTitle(action: BulkAction): string {
  const { resource, status } = action;
  const [doing, done] = verbs[action.action];
  switch (status) {
    case 'working':
      return `${doing} ${countOf(resource, action.total_count)}`;
    case 'undoing':
      return `Undoing: ${action.undone_count.toLocaleString('en')} of ${countOf(resource, action.changed_count)}`;
    case 'undone':
      return `Undone: ${countOf(resource, action.undone_count)} as before`;
    case 'failed':
      return `Stopped after ${countOf(resource, action.done_count)}`;
    case 'cancelled':
      if (action.starts_at !== null && action.done_count === 0)
        return `Undone: ${countOf(resource, action.total_count)} as before`;
      return `Stopped: ${countOf(resource, action.changed_count)} ${done}`;
    case 'completed':
      return `${countOf(resource, action.changed_count)} ${done}`;
  }
}

/** Details beside the title; empty when there are none. */
export function bulkDetail(action: BulkAction): string {
  const { status, done_count: done, changed_count: changed, failed_count: failed, failures, error } = action;
  if (error !== null) return error;
  const parts: string[] = [];
  const same = done - changed - failed;
  if (status === 'completed' && same > 0) parts.push(`${same.toLocaleString('en')} needed no change`);
  if (failed > 0) {
    const [first] = failures;
    parts.push(`${failed.toLocaleString('en')} could not be changed${first ? `: ${first.message}` : ''}`);
  }
  return parts.join(' · ');
}
