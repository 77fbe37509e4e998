import { useQueryClient } from '@tanstack/react-query';
import { Check, MailOpen, Tag, UserRound, UserRoundX } from 'lucide-react';
import { useState } from 'react';
import type { Conversation } from '#contracts/conversations.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { SelectionBar } from '#web/shared/table/selection-bar.tsx';
import type { Selection } from '#web/shared/table/use-selection.ts';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { Menu } from '#web/shared/ui/menu.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { useAssignees } from '../assignees.ts';
import { LabelPicker } from '../labels/label-picker.tsx';

/** As many as one request takes. */
const mostAtOnce = 100;

type Change = {
  add_labels?: string[];
  remove_labels?: string[];
  status?: 'done' | 'open';
  read?: true;
  assigned_to?: number | null;
};
type SelectedBarProps = { projectId: number; selection: Selection<Conversation>; chosen: readonly Conversation[] };

/** The actions on the conversations that are chosen. */
export function SelectedBar({ projectId, selection, chosen }: SelectedBarProps) {
  const queryClient = useQueryClient();
  const assignees = useAssignees(projectId);
  const [isBusy, setBusy] = useState(false);
  const common = chosen[0]?.labels.filter((name) => chosen.every(({ labels }) => labels.includes(name))) ?? [];

  async function change(body: Change, words: string): Promise<void> {
    setBusy(true);
    try {
      let changed = 0;
      let failed = 0;
      for (let from = 0; from < selection.ids.length; from += mostAtOnce) {
        const ids = selection.ids.slice(from, from + mostAtOnce);
        const answer = await callApi('PATCH /api/conversations', { body: { ids, ...body } });
        changed += answer.changed_count;
        failed += answer.failures.length + answer.missing_ids.length;
      }
      notify.success(`${countText(changed)} ${words}`);
      if (failed > 0) notify.error(`${countText(failed)} could not be changed`);
    } catch (error) {
      notify.error(errorText(error, 'The conversations were not changed'));
    } finally {
      setBusy(false);
      await Promise.all(
        [queryKeys.conversations, queryKeys.conversationList(projectId), queryKeys.labels(projectId)].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      );
    }
  }

  return (
    <SelectionBar selection={selection} noun="conversations">
      <LabelPicker
        trigger={<IconButton label="Label" icon={<Tag className="size-4" />} disabled={isBusy} />}
        projectId={projectId}
        chosen={common}
        onChoose={(name) =>
          void (common.includes(name)
            ? change({ remove_labels: [name] }, `no longer ${name}`)
            : change({ add_labels: [name] }, `labelled ${name}`))
        }
        canCreate
      />
      {assignees.length > 1 && (
        <Menu
          trigger={<IconButton label="Assign" icon={<UserRound className="size-4" />} disabled={isBusy} />}
          items={[
            ...assignees.map(({ id, name }) => ({
              label: name,
              icon: <UserRound className="size-4" />,
              onSelect: () => void change({ assigned_to: id }, `assigned to ${name}`),
            })),
            'separator' as const,
            {
              label: 'Unassign',
              icon: <UserRoundX className="size-4" />,
              onSelect: () => void change({ assigned_to: null }, 'unassigned'),
            },
          ]}
        />
      )}
      <IconButton
        label="Mark as read"
        icon={<MailOpen className="size-4" />}
        disabled={isBusy}
        onClick={() => void change({ read: true }, 'read')}
      />
      <IconButton
        label="Mark as done"
        icon={<Check className="size-4" />}
        disabled={isBusy}
        onClick={() => void change({ status: 'done', read: true }, 'done').then(selection.clear)}
      />
    </SelectionBar>
  );
}

const countText = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'conversation' : 'conversations'}`;
