import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { ProfileImport } from '#contracts/profile-imports.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { paths } from '#web/shared/paths.ts';
import { buttonClass } from '#web/shared/ui/button.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { refreshProfiles } from '#web/shared/refresh-profiles.ts';
import { ColumnsCard } from './columns-card.tsx';
import { isSamePlan, planOf, requestOf, type Plan } from './import-plan.ts';
import { ProgressCard } from './progress-card.tsx';
import { ReportCard } from './report-card.tsx';
import { isWorking, showImport } from './import-queries.ts';

/** From the columns over the dry run to the result. */
export function ImportSteps({ shown }: { shown: ProfileImport }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [plan, setPlan] = useState<Plan>(() => planOf(shown));
  const isChecked = shown.status === 'checked' && isSamePlan(plan, planOf(shown));
  const params = { importId: shown.id };

  /** The report begins anew: all of its rows, the first page. */
  function showBegun(begun: ProfileImport): void {
    showImport(queryClient, begun);
    void navigate({ to: paths.profileImport, search: { id: begun.id }, replace: true, resetScroll: false });
  }

  const check = useMutation({
    mutationFn: () => callApi('POST /api/profiles/imports/{importId}/check', { params, body: requestOf(plan) }),
    onSuccess: showBegun,
    onError: (error) => notify.error(errorText(error, 'Failed to check rows')),
  });
  const run = useMutation({
    mutationFn: () => callApi('POST /api/profiles/imports/{importId}/run', { params, body: requestOf(plan) }),
    onSuccess: showBegun,
    onError: (error) => notify.error(errorText(error, 'Failed to import profiles')),
  });

  useEffect(() => {
    if (shown.status === 'completed') void refreshProfiles(queryClient);
  }, [queryClient, shown.status]);

  return (
    <>
      {shown.status === 'completed' && <CompletedNotice shown={shown} />}
      {shown.status === 'failed' && (
        <Notice live color="red" title="The import failed">
          {shown.error ?? 'Choose the file again.'}
        </Notice>
      )}
      {isWorking(shown.status) && <ProgressCard shown={shown} />}
      {(shown.status === 'ready' || shown.status === 'checked') && (
        <ColumnsCard
          shown={shown}
          plan={plan}
          onPlan={setPlan}
          isChecked={isChecked}
          isBusy={check.isPending || run.isPending}
          onCheck={() => check.mutate()}
          onRun={() => run.mutate()}
        />
      )}
      {(isChecked || shown.status === 'completed' || shown.status === 'failed') && <ReportCard shown={shown} />}
    </>
  );
}

function CompletedNotice({ shown: { counts } }: { shown: ProfileImport }) {
  const parts = [
    `${counts.new.toLocaleString('en')} new`,
    `${counts.updated.toLocaleString('en')} updated`,
    `${counts.skipped.toLocaleString('en')} skipped`,
    `${counts.invalid.toLocaleString('en')} invalid`,
  ];
  return (
    <Notice
      live
      color="green"
      title="Import completed"
      action={
        <Link to={paths.profiles} className={buttonClass('secondary', 'small')}>
          View profiles
        </Link>
      }
    >
      {parts.join(', ')}.
    </Notice>
  );
}
