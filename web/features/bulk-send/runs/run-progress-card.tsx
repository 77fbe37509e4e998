import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { BulkRun } from '#contracts/bulk-runs.ts';
import { paths } from '#web/shared/paths.ts';
import { buttonClass } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { Progress } from '#web/shared/ui/progress.tsx';
import { StatusDot } from '#web/shared/ui/status-badge.tsx';
import { waitingWords } from '#web/shared/waiting-words.ts';

/** How far the run has come, and why it does not go on. */
export function RunProgressCard({ run }: { run: BulkRun }) {
  const { name, sent_count, failed_count, skipped_count, waiting_count, total_count } = run;
  const done = sent_count + failed_count + skipped_count;
  const percent = total_count === 0 ? 0 : Math.floor((done / total_count) * 100);
  return (
    <Card title="Progress">
      <div className="grid gap-4">
        <Progress
          label={`Progress of ${name}`}
          sent={sent_count}
          failed={failed_count}
          skipped={skipped_count}
          total={total_count}
        >
          <p className="mt-1 flex flex-wrap gap-x-6 gap-y-1 text-13 text-muted tabular-nums">
            <Fact label="Total" value={total_count} />
            <Fact label="Sent" value={sent_count} dot={<span className="size-1.5 rounded-full bg-accent" />} />
            <Fact label="Failed" value={failed_count} dot={<StatusDot color="red" />} />
            <Fact label="Skipped" value={skipped_count} dot={<StatusDot color="gray" />} />
            <Fact label="Waiting" value={waiting_count} />
            <span>{percent}%</span>
          </p>
        </Progress>
        <Delay run={run} />
        <dl className="flex flex-wrap gap-x-8 gap-y-1.5 text-13">
          <Item name="Created">
            <DateTime at={run.created_at} />
          </Item>
          {run.started_at !== null && (
            <Item name="Started">
              <DateTime at={run.started_at} />
            </Item>
          )}
          {run.finished_at !== null && (
            <Item name="Finished">
              <DateTime at={run.finished_at} />
            </Item>
          )}
          <Item name="Delay">{run.delay_ms.toLocaleString('en')} ms</Item>
        </dl>
      </div>
      <p role="status" className="sr-only">
        {Math.floor(percent / 10) * 10}% done.
      </p>
    </Card>
  );
}

function Fact({ label, value, dot }: { label: string; value: number; dot?: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      {dot}
      {label} <b className="font-medium text-ink">{value.toLocaleString('en')}</b>
    </span>
  );
}

function Delay({ run: { waiting_for: reason, waiting_until: until, project_id } }: { run: BulkRun }) {
  if (reason === null) return null;
  const { short, remedy } = waitingWords(reason, until);
  return (
    <Notice
      live
      color="yellow"
      title={short}
      action={
        reason !== 'subscription' && (
          <Link
            to={paths.phoneNumbers}
            params={{ projectId: String(project_id) }}
            className={buttonClass('secondary', 'small')}
          >
            Phone Numbers
          </Link>
        )
      }
    >
      {remedy}
    </Notice>
  );
}

function Item({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex gap-2">
      <dt className="text-muted">{name}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  );
}
