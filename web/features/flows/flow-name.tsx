import { Link } from '@tanstack/react-router';
import { Clock, TriangleAlert } from 'lucide-react';
import type { Flow } from '#contracts/flows.ts';
import { paths } from '#web/shared/paths.ts';
import { RelativeTime } from '#web/shared/ui/relative-time.tsx';
import { waitingWords } from '#web/shared/waiting-words.ts';
import { lastErrorText } from './last-error.ts';
import { lastRunText } from './last-run-text.ts';

/** A flow's name, and beneath it how far its messages have come, and what has no column of its own in a narrower window. */
export function FlowName({ flow, project }: { flow: Flow; project: string }) {
  const { id, name, counts, waiting_for: waitingFor, waiting_until: until, last_run_at: lastRun } = flow;
  const words = waitingFor !== null && counts.waiting > 0 ? waitingWords(waitingFor, until) : undefined;
  const lastError = lastErrorText(flow);
  return (
    <div className="min-w-0 min-[720px]:w-44 xl:w-60">
      <Link
        to={paths.editFlow}
        params={{ flowId: String(id) }}
        search={true}
        state={{ isOpened: true }}
        resetScroll={false}
        dir="auto"
        title={name}
        className="block truncate text-left rounded-small font-medium hover:text-accent-ink hover:underline"
      >
        {name}
      </Link>
      <p className="hidden truncate text-12 font-regular text-muted min-[720px]:max-xl:block">
        <bdi>{project}</bdi>
        {lastRun !== null && (
          <>
            , ran <RelativeTime at={lastRun} format={lastRunText} />
          </>
        )}
      </p>
      <p className="text-12 font-regular whitespace-normal text-muted tabular-nums">{countsText(counts)}</p>
      {words && (
        <p title={words.remedy} className="flex gap-1 text-12 font-regular whitespace-normal text-yellow-ink">
          <Clock aria-hidden="true" className="mt-0.5 size-3 shrink-0" />
          {words.short}
        </p>
      )}
      {lastError !== undefined && (
        <p className="flex gap-1 text-12 font-regular whitespace-normal text-red-ink">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-3 shrink-0" />
          {lastError}
        </p>
      )}
    </div>
  );
}

/** `1,204 sent, 3 failed, 12 waiting` */
function countsText({ sent, failed, waiting, skipped }: Flow['counts']): string {
  const all: [count: number, word: string][] = [
    [sent, 'sent'],
    [failed, 'failed'],
    [waiting, 'waiting'],
    [skipped, 'skipped'],
  ];
  const parts = all.filter(([count]) => count > 0).map(([count, word]) => `${count.toLocaleString('en')} ${word}`);
  return parts.length === 0 ? 'Nothing sent yet' : parts.join(', ');
}
