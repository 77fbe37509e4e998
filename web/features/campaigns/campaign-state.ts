import type { Campaign } from '#contracts/campaigns.ts';

/** Nothing will be sent any more. */
export function hasEnded({ status }: Campaign): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** Something happens to it now: it waits for nothing. */
export function isMoving({ status, waiting_for }: Campaign): boolean {
  return (status === 'creating' || status === 'running') && waiting_for === null;
}

/** `Segment: Installed users`; `Segment #12` once it is deleted. */
export function segmentText({ segment_id, segment_name }: Campaign): string {
  if (segment_id === null) return 'By its own conditions';
  return segment_name === null ? `Segment #${segment_id}` : `Segment: ${segment_name}`;
}

/** The consequence of ending a campaign for waiting recipients; empty once there are none. */
export function waitingText(campaign: Campaign): string {
  const { status, waiting_count } = campaign;
  if (hasEnded(campaign)) return '';
  if (status === 'scheduled' || status === 'creating') return 'Nobody gets its message.';
  if (waiting_count === 0) return '';
  const people = waiting_count === 1 ? '1 person' : `${waiting_count.toLocaleString('en')} people`;
  return `${people} still waiting get${waiting_count === 1 ? 's' : ''} nothing.`;
}

/** Of everybody who was taken down, the part that the message went out to: 0 to 1. */
export function sentShare({ sent_count, total_count }: Campaign): number {
  return total_count === 0 ? 0 : sent_count / total_count;
}
