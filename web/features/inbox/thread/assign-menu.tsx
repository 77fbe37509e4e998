import { Check, UserRound, UserRoundX } from 'lucide-react';
import type { ConversationDetail } from '#contracts/conversations.ts';
import { useCan, useSession } from '#web/shared/session.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Menu, type MenuItem } from '#web/shared/ui/menu.tsx';
import { useAssignees } from '../assignees.ts';

type AssignMenuProps = {
  conversation: ConversationDetail;
  onAssign: (userId: number | null) => void;
};

/** Shows the member in charge of a conversation, and gives it to another; nothing where a person works alone. */
export function AssignMenu({ conversation, onAssign }: AssignMenuProps) {
  const assignees = useAssignees(conversation.project_id);
  const ownId = useSession().user?.id;
  const mayAssign = useCan()('messages:send');
  const { assigned_to: assignedTo } = conversation;
  if (assignees.length < 2) return null;

  const assignee = assignees.find(({ id }) => id === assignedTo);
  const names = assignees.map(({ name }) => name);
  const labelOf = (id: number, name: string) => {
    if (id === ownId) return 'You';
    return names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${id})`;
  };
  const people = assignees.toSorted((a, b) => Number(b.id === ownId) - Number(a.id === ownId));
  const items: MenuItem[] = people.map(({ id, name }) => ({
    label: labelOf(id, name),
    icon: id === assignedTo ? <Check className="size-4" /> : <UserRound className="size-4" />,
    onSelect: () => id !== assignedTo && onAssign(id),
  }));
  if (assignee !== undefined) {
    items.push('separator', {
      label: 'Unassign',
      icon: <UserRoundX className="size-4" />,
      onSelect: () => onAssign(null),
    });
  }
  const label = assignee === undefined ? 'Nobody' : labelOf(assignee.id, assignee.name);
  return (
    <Menu
      trigger={
        <Button
          size="small"
          icon={<UserRound className="size-4" />}
          disabled={!mayAssign}
          title={label}
          className="max-w-44 min-w-0"
        >
          <span className="sr-only">Assigned to </span>
          <bdi className="truncate max-sm:sr-only min-[900px]:max-[1280px]:sr-only">{label}</bdi>
        </Button>
      }
      items={items}
    />
  );
}
