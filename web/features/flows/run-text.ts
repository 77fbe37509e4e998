import type { FlowRun } from '#contracts/flows.ts';
import { countedText } from '#web/shared/counted.ts';

type Run = Pick<FlowRun, 'matched' | 'queued' | 'skipped'> & { is_estimate?: boolean };

/** The result of a run: `3 messages queued, 1 skipped`. */
export function runText({ matched, queued, skipped, is_estimate = false }: Run): string {
  if (matched === 0 && queued === 0 && !is_estimate) return 'No profile matches now';
  if (queued === 0 && matched > skipped) return 'No message queued: whoever matches had it already';
  const text = `${queued.toLocaleString('en')} ${queued === 1 ? 'message' : 'messages'} queued`;
  return skipped === 0 ? text : `${text}, ${countedText({ count: skipped, is_estimate })} skipped`;
}
