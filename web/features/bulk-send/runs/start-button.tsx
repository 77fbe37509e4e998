import { useQuery } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import type { BulkRun } from '#contracts/bulk-runs.ts';
import { callApi } from '#web/shared/api.ts';
import { projectsQuery } from '#web/shared/queries.ts';
import { useReview } from '#web/shared/review/use-review.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { useBulkRunAction } from './use-bulk-run-action.ts';

/** Starts a draft, once what would come of it has been seen. */
export function StartButton({ run }: { run: BulkRun }) {
  const { data: projects } = useQuery(projectsQuery());
  const start = useBulkRunAction('start');
  const review = useReview();

  async function handleStart(): Promise<void> {
    const answer = await review.ask({
      title: run.name,
      count: run.waiting_count,
      sender: projects?.find(({ id }) => id === run.project_id),
      ask: () => callApi('POST /api/bulk-runs/{runId}/preview', { params: { runId: run.id }, body: {} }),
    });
    if (answer === 'send') start.mutate(run);
  }

  return (
    <>
      <Button
        needs="campaigns:write"
        variant="primary"
        icon={<Send aria-hidden="true" className="size-4" />}
        disabled={run.is_uploading || run.waiting_count === 0}
        busy={start.isPending && 'Starting...'}
        onClick={() => void handleStart()}
      >
        Start
      </Button>
      {review.question}
    </>
  );
}
