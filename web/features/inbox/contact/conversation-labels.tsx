import { useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { ConversationDetail } from '#contracts/conversations.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { useCan } from '#web/shared/session.ts';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { LabelPicker } from '../labels/label-picker.tsx';
import { LabelTags } from '../labels/label-tag.tsx';

/** The labels of the conversation that is open, and the search that gives and takes them. */
export function ConversationLabels({ conversation }: { conversation: ConversationDetail }) {
  const { id, project_id: projectId, labels } = conversation;
  const queryClient = useQueryClient();
  const mayLabel = useCan()('messages:send');
  const [wanted, setWanted] = useState<readonly string[]>();
  const shown = wanted ?? labels;

  async function toggle(name: string): Promise<void> {
    const next = shown.includes(name) ? shown.filter((each) => each !== name) : [...shown, name];
    setWanted(next);
    try {
      await callApi('PATCH /api/conversations/{conversationId}', {
        params: { conversationId: id },
        body: { labels: next },
      });
      await Promise.all(
        [queryKeys.conversations, queryKeys.conversationList(projectId), queryKeys.labels(projectId)].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      );
    } catch (error) {
      notify.error(errorText(error, 'The labels were not changed'));
    } finally {
      // More may have been asked for since.
      setWanted((now) => (now === next ? undefined : now));
    }
  }

  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <LabelTags names={shown} projectId={projectId} />
      {shown.length === 0 && !mayLabel && <span className="text-13 text-muted">None</span>}
      {mayLabel && (
        <LabelPicker
          trigger={<IconButton label="Change labels" size="small" icon={<Plus className="size-4" />} />}
          projectId={projectId}
          chosen={shown}
          onChoose={(name) => void toggle(name)}
          canCreate
        />
      )}
    </div>
  );
}
