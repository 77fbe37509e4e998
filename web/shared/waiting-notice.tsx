import { Link } from '@tanstack/react-router';
import type { WaitingReason } from '#contracts/waiting-reason.ts';
import { paths } from './paths.ts';
import { buttonClass } from './ui/button.tsx';
import { Notice } from './ui/notice.tsx';
import { waitingWords } from './waiting-words.ts';

type WaitingNoticeProps = { reason: WaitingReason; until: string | null; projectId: number };

/** Why something that sends to many does not go on, with the way to the phones that it waits for. */
export function WaitingNotice({ reason, until, projectId }: WaitingNoticeProps) {
  const { short, remedy } = waitingWords(reason, until);
  return (
    <Notice
      live
      color="yellow"
      title={short}
      action={
        reason !== 'subscription' &&
        reason !== 'account_suspended' && (
          <Link
            to={paths.phoneNumbers}
            params={{ projectId: String(projectId) }}
            className={buttonClass('secondary', 'small')}
          >
            Phone Numbers
          </Link>
        )
      }
    >
      {remedy}
    </Notice>
  );
}
