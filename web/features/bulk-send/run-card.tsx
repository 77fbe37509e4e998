import { Link } from '@tanstack/react-router';
import { Pause, Play } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { paths } from '#web/shared/paths.ts';
import { timeLeft } from '#web/shared/time-left.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { Progress } from '#web/shared/ui/progress.tsx';
import { Badge, StatusDot, type StatusColor } from '#web/shared/ui/status-badge.tsx';
import { useNow } from '#web/shared/use-now.ts';
import { waitingWords } from '#web/shared/waiting-words.ts';
import type { Run, RunStatus } from './run/bulk-send.ts';

const badges: Record<RunStatus, { color: StatusColor; word: string }> = {
  running: { color: 'blue', word: 'Running' },
  paused: { color: 'yellow', word: 'Paused' },
  stopped: { color: 'gray', word: 'Stopped' },
  completed: { color: 'green', word: 'Completed' },
};

type RunCardProps = { run: Run; onPause: () => void; onResume: () => void; onStop: () => void };

export function RunCard({ run, onPause, onResume, onStop }: RunCardProps) {
  const titleId = useId();
  const { total } = run;
  const done = run.sent + run.failed;
  const percent = total === 0 ? 0 : Math.floor((done / total) * 100);
  const { color, word } = badges[run.status];
  const isOpen = run.status === 'running' || run.status === 'paused';
  const PauseIcon = run.status === 'paused' ? Play : Pause;
  return (
    <Card>
      <div className="grid gap-3" role="group" aria-labelledby={titleId}>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <div className="flex min-w-0 flex-1 basis-32 flex-wrap items-center gap-x-2.5 gap-y-1">
            <h2 id={titleId} className="text-14 tabular-nums">
              {titleOf(run)}
            </h2>
            <Badge color={color}>{word}</Badge>
          </div>
          {/* A single button, so that the focus stays on it. */}
          {isOpen && (
            <Button
              variant={run.status === 'paused' ? 'primary' : 'secondary'}
              size="small"
              icon={<PauseIcon aria-hidden="true" className="size-3.5" />}
              onClick={run.status === 'paused' ? onResume : onPause}
            >
              {run.status === 'paused' ? 'Resume' : 'Pause'}
            </Button>
          )}
          {isOpen && (
            <Button variant="ghost-danger" size="small" onClick={onStop}>
              Stop
            </Button>
          )}
        </div>
        <Progress label="Sending progress" sent={run.sent} failed={run.failed} total={total}>
          <p className="mt-1 flex flex-wrap gap-x-6 gap-y-1 text-13 text-muted tabular-nums">
            <Fact label="Sent" value={done} />
            <Fact label="Success" value={run.sent} dot={<span className="size-1.5 rounded-full bg-accent" />} />
            <Fact label="Failed" value={run.failed} dot={<StatusDot color="red" />} />
            <Fact label="Waiting" value={total - done} />
            <span>{percent}%</span>
            {run.status === 'running' && <TimeLeft run={run} />}
          </p>
        </Progress>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-13 text-muted">
          <p>{noteOf(run)}</p>
          <Link
            to={paths.bulkRun}
            params={{ runId: String(run.runId) }}
            className="rounded-small font-medium text-accent-ink hover:underline"
          >
            Open the run
          </Link>
        </div>
      </div>
      <Announcement text={`${word}. ${percent}% done, ${run.failed > 0 ? 'some' : 'none'} failed.`} />
    </Card>
  );
}

function noteOf({ status, waiting_for: reason, waiting_until: until }: Run): string {
  if (status === 'running' && reason !== null) {
    const { short, remedy } = waitingWords(reason, until);
    return `${short}. ${remedy}`;
  }
  if (status === 'running') return 'It goes on without this page.';
  return status === 'paused' ? 'Nothing goes out until you resume.' : '';
}

function titleOf({ status, total: count, sent, failed, waiting_for: reason }: Run): string {
  const total = count.toLocaleString('en');
  const done = sent + failed;
  if (status === 'running' && reason !== null) return `${done.toLocaleString('en')} of ${total} sent, waiting`;
  if (status === 'running') return `Sending ${Math.min(done + 1, count).toLocaleString('en')} of ${total}`;
  return `${done.toLocaleString('en')} of ${total} done`;
}

function Fact({ label, value, dot }: { label: string; value: number; dot?: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      {dot}
      {label} <b className="font-medium text-ink">{value.toLocaleString('en')}</b>
    </span>
  );
}

function TimeLeft({ run }: { run: Run }) {
  const now = useNow(1000);
  const done = run.sent + run.failed;
  const pace = { elapsedMs: now - run.pace.since, done: done - run.pace.done, left: run.total - done };
  return <span className="sm:ml-auto">{timeLeft(pace)}</span>;
}

function Announcement({ text }: { text: string }) {
  return (
    <p role="status" className="sr-only">
      {text}
    </p>
  );
}
