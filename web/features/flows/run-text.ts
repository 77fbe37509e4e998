import type { FlowRun } from '#contracts/flows.ts';

/** The result of a run: `3 messages queued, 1 skipped`. */
export function runText({ matched, queued, skipped }: Pick<FlowRun, 'matched' | 'queued' | 'skipped'>): string {
  if (matched === 0) return 'No profile matches now';
  if (queued === 0 && matched > skipped) return 'No message queued: whoever matches had it already';
  const text = `${queued.toLocaleString('en')} ${queued === 1 ? 'message' : 'messages'} queued`;
  return skipped === 0 ? text : `${text}, ${skipped.toLocaleString('en')} skipped`;
}
