import { Link } from '@tanstack/react-router';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ConversationDetail } from '#contracts/conversations.ts';
import { CheckInput } from '#web/shared/form/checkbox.tsx';
import { paths } from '#web/shared/paths.ts';
import { formatDateTime } from '#web/shared/time-format.ts';

type SendingObstacleProps = {
  conversation: ConversationDetail;
  overrides: boolean;
  onOverride: (overrides: boolean) => void;
};

/** Why a reply cannot leave, and what to do about it; nothing where it can. */
export function SendingObstacle({ conversation, overrides, onOverride }: SendingObstacleProps) {
  const { project_id: projectId, sending, opted_out: isOptedOut } = conversation;
  if (!sending.can_send) {
    const until = sending.until === null ? '' : ` Until ${formatDateTime(sending.until)}.`;
    return (
      <Obstacle text={`${sending.message ?? 'Nothing can be sent now'}.${until}`}>
        <Link
          to={paths.phoneNumbers}
          params={{ projectId: String(projectId) }}
          className="font-medium text-accent-ink underline"
        >
          Phone numbers
        </Link>
      </Obstacle>
    );
  }
  if (!isOptedOut) return null;
  return (
    <Obstacle text="This person has opted out of your messages.">
      <CheckInput
        label="Send this one all the same"
        checked={overrides}
        onChange={({ target }) => onOverride(target.checked)}
      />
    </Obstacle>
  );
}

function Obstacle({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-base bg-yellow-wash px-3 py-2 text-13 text-yellow-ink"
    >
      <CircleAlert aria-hidden="true" className="size-4 shrink-0" />
      <span className="min-w-0 flex-1 text-pretty">{text}</span>
      {children}
    </div>
  );
}
