import { useSession } from '#web/shared/session.ts';
import { formatLongDate } from '#web/shared/time-format.ts';
import { Notice } from '#web/shared/ui/notice.tsx';

/** On every page while the operator of the server has suspended the account: why, since when, and what goes on. */
export function SuspensionBanner() {
  const { suspension } = useSession();
  if (suspension === null) return null;
  return (
    <section aria-label="Suspension" className="mx-auto w-full max-w-316 px-4 pt-4 sm:px-8">
      <Notice live color="red" title={`This account has been suspended since ${formatLongDate(suspension.since)}`}>
        <p className="wrap-anywhere">{suspension.reason}</p>
        <p>
          Nothing is sent or changed meanwhile; what was accepted waits. Write to the operator of this server to have it
          lifted.
        </p>
      </Notice>
    </section>
  );
}
