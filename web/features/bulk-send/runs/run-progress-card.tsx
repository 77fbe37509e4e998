import type { BulkRun } from '#contracts/bulk-runs.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { LedgerCounts, NamedFact } from '#web/shared/ui/ledger-counts.tsx';
import { Progress } from '#web/shared/ui/progress.tsx';

/** How far the run has come; `isReported`: its figures stand elsewhere on the page. */
export function RunProgressCard({ run, isReported = false }: { run: BulkRun; isReported?: boolean }) {
  const { name, sent_count, failed_count, skipped_count, total_count } = run;
  const done = sent_count + failed_count + skipped_count;
  const percent = total_count === 0 ? 0 : Math.floor((done / total_count) * 100);
  return (
    <Card title="Progress">
      <div className="grid gap-4">
        {isReported ? (
          <p className="text-13 text-muted tabular-nums">{percent}% done</p>
        ) : (
          <Progress
            label={`Progress of ${name}`}
            sent={sent_count}
            failed={failed_count}
            skipped={skipped_count}
            total={total_count}
          >
            <LedgerCounts counts={run}>
              <span>{percent}%</span>
            </LedgerCounts>
          </Progress>
        )}
        <dl className="flex flex-wrap gap-x-8 gap-y-1.5 text-13">
          <NamedFact name="Created">
            <DateTime at={run.created_at} />
          </NamedFact>
          {run.started_at !== null && (
            <NamedFact name="Started">
              <DateTime at={run.started_at} />
            </NamedFact>
          )}
          {run.finished_at !== null && (
            <NamedFact name="Finished">
              <DateTime at={run.finished_at} />
            </NamedFact>
          )}
          <NamedFact name="Delay">{run.delay_ms.toLocaleString('en')} ms</NamedFact>
        </dl>
      </div>
      <p role="status" className="sr-only">
        {percent}% done.
      </p>
    </Card>
  );
}
