import { useMutation } from '@tanstack/react-query';
import type { Project, ProjectChange } from '#contracts/projects.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { SwitchInput } from '#web/shared/form/switch.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { useShowProject } from './use-show-project.ts';

/** Sets whether people on WhatsApp see reading and typing in the inbox, and whether it begins with earlier chats. */
export function ReadingCard({ project }: { project: Project }) {
  const showProject = useShowProject();
  const save = useMutation({
    mutationFn: (body: ProjectChange) =>
      callApi('PUT /api/projects/{projectId}', { params: { projectId: project.id }, body }),
    onSuccess: showProject,
    onError: (error) => notify.error(errorText(error, 'Failed to change what people see')),
  });
  return (
    <Card title="Inbox" description="What people on WhatsApp see of what you do here, and what comes in.">
      <div className="grid gap-4">
        <SwitchInput
          label="Read receipts"
          hint="Whoever wrote sees blue ticks once you have read it in the inbox or answered. Where read receipts are off on the handset, nobody sees them."
          checked={project.read_receipts}
          needs="projects:write"
          busy={save.isPending}
          onChange={({ target }) => save.mutate({ read_receipts: target.checked })}
        />
        <SwitchInput
          label="Typing"
          hint="Each side sees when the other is typing. While you have a conversation open the number is shown as online, and its handset may not ring for new messages."
          checked={project.typing_indicators}
          needs="projects:write"
          busy={save.isPending}
          onChange={({ target }) => save.mutate({ typing_indicators: target.checked })}
        />
        <SwitchInput
          label="Earlier chats"
          hint="When a number is linked by a code, its chats of the last 30 days come into the inbox. Nobody is told of them, and they count as no answers; the number's page shows how far it is."
          checked={project.import_history}
          needs="projects:write"
          busy={save.isPending}
          onChange={({ target }) => save.mutate({ import_history: target.checked })}
        />
      </div>
    </Card>
  );
}
