import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { Box, MessagesSquare } from 'lucide-react';
import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState, type Ref, type RefObject } from 'react';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { conversationCountsQuery } from '#web/shared/conversation-counts.ts';
import { paths } from '#web/shared/paths.ts';
import { projectsQuery } from '#web/shared/queries.ts';
import { useCan, useSession } from '#web/shared/session.ts';
import { useSelection } from '#web/shared/table/use-selection.ts';
import { buttonClass } from '#web/shared/ui/button.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { useAssignees } from './assignees.ts';
import { ContactPane } from './contact/contact-pane.tsx';
import { useInboxSearch } from './inbox-search.ts';
import { ConversationList, type ConversationListHandle } from './list/conversation-list.tsx';
import { ListHead } from './list/list-head.tsx';
import { SelectedBar } from './list/selected-bar.tsx';
import { useConversations } from './list/use-conversations.ts';
import { NewMessageDialog } from './new-message-dialog.tsx';
import { useNewOnArrival } from '#web/shared/use-new-on-arrival.ts';
import { Thread, type ThreadHandle } from './thread/thread.tsx';
import { useInboxKeys } from './use-inbox-keys.ts';

export function InboxPage() {
  const { currentProjectId } = useSession();
  if (currentProjectId === null) return <NoProject />;
  return <Inbox key={currentProjectId} projectId={currentProjectId} />;
}

/** Three panes on a wide screen; list, thread and contact in turn on a narrow one. */
function Inbox({ projectId }: { projectId: number }) {
  const { search, change, ...address } = useInboxSearch();
  const [isNewOpen, setNewOpen] = useState(false);
  const [isSelecting, setSelecting] = useState(false);
  const mayChange = useCan()('messages:send');
  const [newNumber, setNewNumber] = useState<string>();
  useNewOnArrival((number) => {
    setNewNumber(number);
    setNewOpen(true);
  });
  const { data: counts } = useQuery(conversationCountsQuery(projectId));
  const isTeam = useAssignees(projectId).length > 1;
  const thread = useRef<ThreadHandle>(null);
  const list = useRef<ListHandle>(null);
  const { conversation: openId, contact: isContactShown = false } = search;
  const open = (conversation: number | undefined) =>
    address.open({ conversation, contact: undefined, to: undefined }, { isOpen: openId !== undefined });
  useOpenNumber(projectId, search.to, open);
  const closeContact = () => address.close({ contact: undefined });
  function close(): void {
    const closed = { conversation: undefined, contact: undefined };
    // Back leads from the contact to its conversation alone.
    if (isContactShown) change(closed, { replace: true });
    else address.close(closed);
  }
  return (
    <div className="grid h-full min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] bg-page min-[900px]:grid-cols-[20rem_minmax(0,1fr)] min-[1280px]:grid-cols-[20rem_minmax(0,1fr)_18.5rem]">
      <h1 className="sr-only">Inbox</h1>
      <section
        aria-labelledby="inbox-conversations"
        className={clsx(
          'flex min-h-0 min-w-0 flex-col min-[900px]:border-r',
          openId !== undefined && 'max-[900px]:hidden',
        )}
      >
        <ListHead
          projectId={projectId}
          isSelecting={isSelecting}
          onSelect={mayChange ? () => setSelecting(!isSelecting) : undefined}
          onLabel={(label) => change({ label })}
          isTeam={isTeam}
          search={search}
          counts={counts}
          onFilter={(status) => change({ status: status === 'open' ? undefined : status })}
          onAssigned={(assigned) => change({ assigned })}
          onSearch={(text) => change({ search: text || undefined })}
          onNew={
            mayChange
              ? () => {
                  setNewNumber(undefined);
                  setNewOpen(true);
                }
              : undefined
          }
        />
        <List
          key={`${search.status} ${search.assigned} ${search.label} ${search.search}`}
          isSelecting={isSelecting}
          projectId={projectId}
          thread={thread}
          ref={list}
          onOpen={open}
          onClose={close}
        />
      </section>
      <section
        aria-label="Conversation"
        className={clsx(
          'flex min-h-0 min-w-0 flex-col',
          (openId === undefined || isContactShown) && 'max-[900px]:hidden',
          isContactShown && 'max-[1280px]:hidden',
          openId === undefined && 'min-[1280px]:col-span-2',
        )}
      >
        {openId === undefined ? (
          <Nothing />
        ) : (
          <Thread
            key={openId}
            ref={thread}
            conversationId={openId}
            onBack={close}
            onShowContact={() => address.open({ contact: true })}
            planNext={() => list.current?.planNext() ?? close}
          />
        )}
      </section>
      {openId !== undefined && (
        <aside
          aria-label="Contact"
          className={clsx(
            'min-h-0 min-w-0 flex-col min-[1280px]:flex min-[1280px]:border-l',
            isContactShown ? 'flex' : 'hidden',
          )}
        >
          <ContactPane key={openId} conversationId={openId} onBack={closeContact} />
        </aside>
      )}
      {isNewOpen && (
        <NewMessageDialog
          projectId={projectId}
          number={newNumber}
          onOpened={(id) => {
            setNewOpen(false);
            open(id);
          }}
          onClose={() => setNewOpen(false)}
        />
      )}
    </div>
  );
}

type ListProps = {
  projectId: number;
  isSelecting: boolean;
  thread: RefObject<ThreadHandle | null>;
  onOpen: (conversationId: number) => void;
  onClose: () => void;
  ref: Ref<ListHandle>;
};

type ListHandle = { planNext: () => () => void };

function List({ projectId, isSelecting, thread, onOpen, onClose, ref }: ListProps) {
  const { search, change } = useInboxSearch();
  const conversations = useConversations(projectId, search);
  const rows = useRef<ConversationListHandle>(null);
  const { conversation: openId } = search;
  const selection = useSelection({
    rows: conversations.items,
    rowId: ({ id }) => id,
    total: undefined,
    resetKey: String(isSelecting),
  });

  function choose(conversationId: number): void {
    const row = conversations.items?.find(({ id }) => id === conversationId);
    if (row !== undefined) selection.toggle(row);
  }

  function step(by: 1 | -1): void {
    const { items = [] } = conversations;
    const at = items.findIndex(({ id }) => id === openId);
    const next = items[at < 0 ? 0 : at + by];
    if (next === undefined) return;
    rows.current?.show(items.indexOf(next));
    onOpen(next.id);
  }

  /** Kept before the open one is done: it is no longer among them afterwards. */
  function planNext(): () => void {
    const { items = [] } = conversations;
    const at = items.findIndex(({ id }) => id === openId);
    const next = at < 0 ? undefined : (items[at + 1] ?? items[at - 1]);
    return next === undefined ? onClose : () => onOpen(next.id);
  }
  useImperativeHandle(ref, () => ({ planNext }));

  useInboxKeys({
    onStep: step,
    onReply: () => thread.current?.focusComposer(),
    onDone: () => thread.current?.toggleDone(),
    onSearch: () => document.querySelector<HTMLElement>('[role="search"] input[type="search"]')?.focus(),
    onLeave: () => openId !== undefined && onClose(),
  });

  return (
    <>
      <ConversationList
        ref={rows}
        list={conversations}
        search={search}
        activeId={openId}
        chosenIds={isSelecting ? selection.ids : undefined}
        onOpen={isSelecting ? choose : onOpen}
        onSearchAll={() => change({ status: 'all', assigned: undefined, label: undefined })}
        onClear={() => change({ search: undefined })}
      />
      {isSelecting && (
        <SelectedBar
          projectId={projectId}
          selection={selection}
          chosen={conversations.items?.filter((row) => selection.has(row)) ?? []}
        />
      )}
    </>
  );
}

/** A link from elsewhere names a number: its conversation is opened once. */
function useOpenNumber(projectId: number, to: string | undefined, open: (conversationId: number) => void): void {
  const handleOpened = useEffectEvent(open);
  useEffect(() => {
    if (to === undefined) return;
    callApi('POST /api/conversations', { body: { project_id: projectId, phone: `+${to.replace('+', '')}` } })
      .then(({ id }) => handleOpened(id))
      .catch((error: unknown) => notify.error(errorText(error, 'Failed to open the conversation')));
  }, [projectId, to]);
}

function Nothing() {
  return (
    <div className="grid flex-1 content-center bg-sunken">
      <EmptyState
        icon={<MessagesSquare aria-hidden="true" />}
        title="Choose a conversation"
        hint={
          <>
            <kbd>j</kbd> and <kbd>k</kbd> go through them, <kbd>r</kbd> answers, <kbd>e</kbd> marks as done,{' '}
            <kbd>/</kbd> searches, <kbd>Esc</kbd> leaves.
          </>
        }
      />
    </div>
  );
}

/** Until the projects are read, none of them is the current one. */
function NoProject() {
  const { data: projects, error, refetch } = useQuery(projectsQuery());
  return (
    <div className="grid h-full content-center">
      <h1 className="sr-only">Inbox</h1>
      {projects === undefined && error !== null && (
        <ErrorPanel
          title="Failed to load the inbox"
          detail={errorText(error, 'Try again in a moment.')}
          onRetry={() => void refetch()}
        />
      )}
      {projects === undefined && error === null && (
        <div role="status" aria-label="Loading the inbox..." className="grid h-full content-start gap-4 p-4">
          <Skeleton className="h-8" />
          <Skeleton className="h-64" />
        </div>
      )}
      {projects?.length === 0 && (
        <EmptyState
          icon={<Box aria-hidden="true" />}
          title="No project yet"
          hint="Conversations are those of a project’s phones."
          action={
            <Link to={paths.newProject} className={buttonClass('primary')}>
              New project
            </Link>
          }
        />
      )}
    </div>
  );
}
