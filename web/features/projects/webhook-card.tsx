import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Project } from '#contracts/projects.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { CopyField } from '#web/shared/ui/copy-field.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { RotateButton } from './rotate-button.tsx';
import { TestEvent } from './test-event.tsx';
import { useShowProject } from './use-show-project.ts';
import { WebhookOffNotice } from './webhook-off-notice.tsx';
import { WebhookUrlForm } from './webhook-url-form.tsx';

const urlTexts = { copied: 'Webhook URL copied to clipboard', failed: 'Failed to copy webhook URL' };
const secretTexts = { copied: 'Signing secret copied to clipboard', failed: 'Failed to copy signing secret' };

export function WebhookCard({ project }: { project: Project }) {
  const [isEditing, setEditing] = useState(false);
  return (
    <Card
      title="Webhook"
      description="Every event is posted here, signed."
      actions={
        !isEditing && (
          <Button needs="webhooks:write" size="small" aria-label="Edit webhook URL" onClick={() => setEditing(true)}>
            Edit
          </Button>
        )
      }
      footer={<TestEvent key={project.webhook_disabled_at} project={project} />}
    >
      <div className="grid gap-5">
        <WebhookOffNotice project={project} isEditing={isEditing} />
        {isEditing ? (
          <WebhookUrlForm project={project} onDone={() => setEditing(false)} />
        ) : (
          <WebhookUrl url={project.webhook_url} />
        )}
        <SigningSecret project={project} />
      </div>
    </Card>
  );
}

function WebhookUrl({ url }: { url: string | null }) {
  if (url === null) {
    return (
      <div className="grid gap-1.5">
        <p className="text-13 font-medium">Webhook URL</p>
        <p className="text-muted">None yet. Set one to hear of messages and status changes.</p>
      </div>
    );
  }
  return (
    <CopyField
      label="Webhook URL"
      copyLabel="Copy webhook URL"
      value={url}
      texts={urlTexts}
      hint="Any 2xx answer within 15 seconds counts as received. Else we try again for about a day."
    />
  );
}

function SigningSecret({ project }: { project: Project }) {
  const showProject = useShowProject();
  const rotate = useMutation({
    mutationFn: () =>
      callApi('POST /api/projects/{projectId}/webhook-secret/rotate', { params: { projectId: project.id }, body: {} }),
    onSuccess: (rotated) => {
      showProject(rotated);
      notify.success('Signing secret rotated successfully');
    },
    onError: (error) => notify.error(errorText(error, 'Failed to rotate signing secret')),
  });
  return (
    <div className="flex items-end gap-2">
      <div className="min-w-0 flex-1">
        <CopyField
          label="Signing secret"
          copyLabel="Copy signing secret"
          secret
          value={project.webhook_secret}
          texts={secretTexts}
        />
      </div>
      <div className="flex h-10 items-center">
        <RotateButton
          label="Rotate signing secret"
          title="Rotate the signing secret?"
          onRotate={() => rotate.mutateAsync()}
        >
          Events are signed with both for a day, so that your receivers can change over. Then the old one stops.
        </RotateButton>
      </div>
    </div>
  );
}
