import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { Bell as BellIcon, BellOff } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import type { Notification } from '#contracts/notifications.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { paths } from '#web/shared/paths.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { setCurrentProject, useSession } from '#web/shared/session.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { RelativeTime } from '#web/shared/ui/relative-time.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

/** As many as the server counts. */
const mostCounted = 100;
const shown = 30;

/** Names what happened while one looked elsewhere: unread notifications, counted, and the latest in a list. */
export function Bell() {
  const { token, subscription } = useSession();
  const isOn = token !== null && subscription?.hasActiveSubscription !== false;
  const [isOpen, setOpen] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.notifications,
    queryFn: ({ signal }) => callApi('GET /api/notifications', { query: { limit: shown } }, { signal }),
    enabled: isOn,
  });
  if (!isOn) return null;
  const unread = data?.unread_count ?? 0;
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <IconButton
          label={unread === 0 ? 'Notifications' : `Notifications, ${countText(unread)} unread`}
          icon={
            <span className="relative">
              <BellIcon className="size-4" />
              {unread > 0 && (
                <span
                  aria-hidden="true"
                  className="absolute -top-2 -right-2.5 grid h-4 min-w-4 place-items-center rounded-full bg-accent px-1 text-[0.625rem] leading-none font-semibold text-on-accent tabular-nums"
                >
                  {countText(unread)}
                </span>
              )}
            </span>
          }
        />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          aria-label="Notifications"
          className="z-60 flex max-h-[min(32rem,var(--radix-popover-content-available-height))] w-96 max-w-[calc(100vw-1rem)] animate-fade-in flex-col rounded-base bg-raised shadow-popover"
        >
          <BellList
            items={data?.data}
            unread={unread}
            error={error}
            onRetry={() => void refetch()}
            onClose={() => setOpen(false)}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

const countText = (count: number) => (count >= mostCounted ? '99+' : String(count));

type BellListProps = {
  items: readonly Notification[] | undefined;
  unread: number;
  error: Error | null;
  onRetry: () => void;
  onClose: () => void;
};

function BellList({ items, unread, error, onRetry, onClose }: BellListProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();

  async function read(body: { ids?: number[] }): Promise<void> {
    try {
      await callApi('POST /api/notifications/read', { body });
      await queryClient.invalidateQueries({ queryKey: queryKeys.notifications });
    } catch (failure) {
      notify.error(errorText(failure, 'The notifications were not marked as read'));
    }
  }

  function open({ id, read_at: readAt, conversation_id: conversation, project_id: projectId }: Notification): void {
    if (readAt === null) void read({ ids: [id] });
    onClose();
    if (conversation === null) return void navigate({ to: paths.dashboard });
    if (projectId !== null) setCurrentProject(projectId);
    void navigate({ to: paths.inbox, search: { status: 'all', conversation } });
  }

  return (
    <>
      <div className="flex items-center gap-2 border-b px-4 py-2.5">
        <h2 className="flex-1 text-14">Notifications</h2>
        <Button size="small" variant="ghost" disabled={unread === 0} onClick={() => void read({})}>
          Mark all as read
        </Button>
      </div>
      {items === undefined ? (
        <p role={error === null ? 'status' : 'alert'} className="flex items-center gap-3 px-4 py-6 text-muted">
          {error === null ? 'Loading notifications...' : errorText(error, 'Failed to load notifications')}
          {error !== null && (
            <Button size="small" onClick={onRetry}>
              Try again
            </Button>
          )}
        </p>
      ) : items.length === 0 ? (
        <EmptyState
          icon={<BellOff aria-hidden="true" />}
          title="Nothing has happened"
          hint="What concerns you while you look elsewhere shows here."
        />
      ) : (
        <ul aria-label="Notifications" className="min-h-0 flex-1 divide-y overflow-y-auto">
          {items.map((item) => (
            <li key={item.id}>
              <button
                type="button"
                aria-label={item.read_at === null ? `Unread: ${item.title}` : item.title}
                onClick={() => open(item)}
                className="flex w-full items-start gap-2.5 px-4 py-2.5 text-left hover:bg-hover focus-visible:-outline-offset-2"
              >
                <span
                  aria-hidden="true"
                  className={clsx('mt-1.5 size-2 shrink-0 rounded-full', item.read_at === null && 'bg-accent')}
                />
                <span className="min-w-0 flex-1">
                  <bdi className={clsx('block wrap-anywhere', item.read_at === null && 'font-medium')}>
                    {item.title}
                  </bdi>
                  <span className="text-12 text-muted">
                    {item.read_at === null && <span className="sr-only">Unread, </span>}
                    <RelativeTime at={item.created_at} />
                  </span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <footer className="border-t px-4 py-2 text-13">
        <Link to={paths.notificationSettings} onClick={onClose} className="text-accent-ink hover:underline">
          Choose what you are told of
        </Link>
      </footer>
    </>
  );
}
