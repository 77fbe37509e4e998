import { useMutation } from '@tanstack/react-query';
import type { Project } from '#contracts/projects.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { useShowProject } from './use-show-project.ts';

type WebhookOffNoticeProps = { project: Project; isEditing: boolean };

/** Why the webhook URL was switched off, and the way to switch it on; nothing while it is on. */
export function WebhookOffNotice({ project, isEditing }: WebhookOffNoticeProps) {
  const showProject = useShowProject();
  const saveAgain = useMutation({
    mutationFn: () =>
      callApi('PUT /api/projects/{projectId}/webhook', {
        params: { projectId: project.id },
        body: { webhook_url: project.webhook_url },
      }),
    onSuccess: (changed) => {
      showProject(changed);
      notify.success('Webhook URL switched on');
    },
    onError: (error) => notify.error(errorText(error, 'Failed to switch on the webhook URL')),
  });
  if (project.webhook_disabled_at === null) return null;
  return (
    <Notice
      color="red"
      title="This URL was switched off"
      live
      action={
        !isEditing && (
          <Button
            needs="webhooks:write"
            size="small"
            busy={saveAgain.isPending && 'Saving...'}
            onClick={() => saveAgain.mutate()}
          >
            Save URL again
          </Button>
        )
      }
    >
      <p>
        {project.webhook_disabled_reason} No events have been posted since <DateTime at={project.webhook_disabled_at} />
        , and they are not sent later. Save the URL again to switch it on.
      </p>
    </Notice>
  );
}
