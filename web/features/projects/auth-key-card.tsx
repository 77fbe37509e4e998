import { useMutation } from '@tanstack/react-query';
import type { Project } from '#contracts/projects.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { CopyField } from '#web/shared/ui/copy-field.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { authKeyTexts } from './auth-key-texts.ts';
import { RotateButton } from './rotate-button.tsx';
import { useShowProject } from './use-show-project.ts';

export function AuthKeyCard({ project }: { project: Project }) {
  const showProject = useShowProject();
  const rotate = useMutation({
    mutationFn: () =>
      callApi('POST /api/projects/{projectId}/auth-key/rotate', { params: { projectId: project.id }, body: {} }),
    onSuccess: (rotated) => {
      showProject(rotated);
      notify.success('Auth key rotated successfully');
    },
    onError: (error) => notify.error(errorText(error, 'Failed to rotate auth key')),
  });
  return (
    <Card
      title="Auth key"
      description="Sends messages as this project. Keep it on your server."
      actions={
        <RotateButton label="Rotate auth key" title="Rotate the auth key?" onRotate={() => rotate.mutateAsync()}>
          The old key stops at once. Programs that send with it need the new one.
        </RotateButton>
      }
    >
      <CopyField label="Auth key" copyLabel="Copy key" hideLabel secret value={project.auth_key} texts={authKeyTexts} />
    </Card>
  );
}
