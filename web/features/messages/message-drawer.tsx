import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronUp, Reply, RotateCw, Undo2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { Message } from '#contracts/messages.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { MediaViewing } from '#web/shared/message/media/viewing.tsx';
import { MessageBubble } from '#web/shared/message/message-bubble.tsx';
import { kindWord, sourceWord } from '#web/shared/message/message-summary.ts';
import { paths } from '#web/shared/paths.ts';
import { usePhoneFormat } from '#web/shared/phone-format.ts';
import { noPlaceholder, queryKeys } from '#web/shared/queries.ts';
import { Button, buttonClass } from '#web/shared/ui/button.tsx';
import { CopyButton } from '#web/shared/ui/copy-button.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { SideDrawer } from '#web/shared/ui/side-drawer.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { MessageState } from './message-columns.tsx';
import { sendAgain } from './send-again.ts';
import { Steps } from './steps.tsx';

type MessageDrawerProps = {
  messageId: number;
  nameOf: (profileId: number | null) => string | undefined;
  /** The messages above and below it in the list; undefined where there is none. */
  newerId: number | undefined;
  olderId: number | undefined;
  onOpen: (messageId: number) => void;
  onClose: () => void;
};

export function MessageDrawer({ messageId, nameOf, newerId, olderId, onOpen, onClose }: MessageDrawerProps) {
  const {
    data: message,
    error,
    refetch,
  } = useQuery({
    queryKey: [...queryKeys.allMessages, 'one', messageId],
    queryFn: ({ signal }) => callApi('GET /api/messages/{messageId}', { params: { messageId } }, { signal }),
    placeholderData: noPlaceholder,
  });
  const name = message && nameOf(message.profile_id);
  return (
    <SideDrawer
      title="Message"
      badge={message && <MessageState message={message} />}
      onClose={onClose}
      actions={
        <>
          <IconButton
            label="Newer message"
            icon={<ChevronUp className="size-4" />}
            disabled={newerId === undefined}
            onClick={() => newerId !== undefined && onOpen(newerId)}
          />
          <IconButton
            label="Older message"
            icon={<ChevronDown className="size-4" />}
            disabled={olderId === undefined}
            onClick={() => olderId !== undefined && onOpen(olderId)}
          />
        </>
      }
      footer={message && <Actions message={message} onSent={onOpen} />}
    >
      {message === undefined ? (
        error === null ? (
          <Skeleton className="m-5 h-24" />
        ) : (
          <ErrorPanel
            title="Failed to load the message"
            detail={errorText(error, 'Try again in a moment.')}
            onRetry={() => void refetch()}
          />
        )
      ) : (
        <>
          <div className="m-5 rounded-base border bg-chat-wall px-3 py-4">
            <MediaViewing messages={[message]} nameOf={() => name ?? 'Contact'}>
              <MessageBubble message={message} name={name ?? 'Contact'} />
            </MediaViewing>
          </div>
          <Part title="What happened">
            <Steps message={message} />
          </Part>
          <Part title="Details">
            <Details message={message} name={name} />
          </Part>
          <Part title="Ids">
            <dl className="grid gap-1.5 text-13">
              <Id name="Message" value={message.id} />
              <Id name="Project" value={message.project_id} />
              {message.phone_id !== null && <Id name="Phone number" value={message.phone_id} />}
              {message.profile_id !== null && <Id name="Profile" value={message.profile_id} />}
              {Object.entries(message.metadata ?? {}).map(([key, value]) => (
                <Id key={key} name={key} value={value} />
              ))}
            </dl>
          </Part>
        </>
      )}
    </SideDrawer>
  );
}

function Actions({ message, onSent }: { message: Message; onSent: (messageId: number) => void }) {
  const queryClient = useQueryClient();
  const [busy, setBusy] = useState<'again' | 'cancel'>();
  const number = message.direction === 'incoming' ? message.from : message.to;
  const canBeCancelled = message.status === 'scheduled' || message.status === 'pending';

  async function act(what: 'again' | 'cancel', work: () => Promise<Message>, words: { done: string; failed: string }) {
    setBusy(what);
    try {
      const { id } = await work();
      notify.success(words.done);
      await queryClient.invalidateQueries({ queryKey: queryKeys.allMessages });
      onSent(id);
    } catch (error) {
      notify.error(errorText(error, words.failed));
    } finally {
      setBusy(undefined);
    }
  }

  return (
    <>
      {number !== null && (
        <Link to={paths.inbox} search={{ to: number }} className={buttonClass('primary')}>
          <Reply aria-hidden="true" className="size-4" />
          Reply
        </Link>
      )}
      {canBeCancelled && (
        <Button
          needs="messages:send"
          icon={<Undo2 className="size-4" />}
          busy={busy === 'cancel' && 'Cancelling...'}
          onClick={() => {
            const params = { messageId: message.id };
            const cancel = () => callApi('POST /api/messages/{messageId}/cancel', { params });
            void act('cancel', cancel, { done: 'Message cancelled', failed: 'The message was not cancelled' });
          }}
        >
          Cancel
        </Button>
      )}
      {sendAgain.isPossible(message) && (
        <Button
          needs="messages:send"
          icon={<RotateCw className="size-4" />}
          busy={busy === 'again' && 'Sending...'}
          onClick={() =>
            void act('again', () => sendAgain.send(message), { done: 'Sent again', failed: 'The message was not sent' })
          }
        >
          Send again
        </Button>
      )}
    </>
  );
}

function Details({ message, name }: { message: Message; name: string | undefined }) {
  const format = usePhoneFormat();
  const {
    direction,
    from,
    to,
    profile_id: profileId,
    campaign_id: campaignId,
    source,
    type,
    phone_id: phoneId,
  } = message;
  const theirs = direction === 'incoming' ? from : to;
  const ours = direction === 'incoming' ? to : from;
  const link = 'font-medium text-accent-ink hover:underline';
  return (
    <dl className="grid gap-1.5 text-13">
      <Fact name={direction === 'incoming' ? 'From' : 'To'}>
        {profileId === null ? (
          <bdi>{name}</bdi>
        ) : (
          <Link to={paths.profile} params={{ profileId: String(profileId) }} className={link}>
            <bdi>{name ?? 'Profile'}</bdi>
          </Link>
        )}{' '}
        {theirs === null ? 'Hidden number' : format(theirs)}
      </Fact>
      {phoneId !== null && (
        <Fact name={direction === 'incoming' ? 'To' : 'From'}>
          <Link to={paths.phoneNumbers} params={{ projectId: String(message.project_id) }} className={link}>
            {ours === null ? 'Phone number' : format(ours)}
          </Link>
        </Fact>
      )}
      {source !== null && (
        <Fact name="Sent by">
          {campaignId === null ? (
            sourceWord(source)
          ) : (
            <Link to={paths.campaign} params={{ campaignId: String(campaignId) }} className={link}>
              Campaign
            </Link>
          )}
        </Fact>
      )}
      <Fact name="Project">
        <Link to={paths.project} params={{ projectId: String(message.project_id) }} className={link}>
          Open project and its webhooks
        </Link>
      </Fact>
      <Fact name="Kind">
        {kindWord(type) || `Text, ${Array.from(message.message).length.toLocaleString('en')} characters`}
      </Fact>
      {message.override_opt_out && <Fact name="Opt-out">Sent although the number had opted out</Fact>}
    </dl>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-t px-5 py-4">
      <h3 className="mb-3 text-13">{title}</h3>
      {children}
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd className="min-w-0 text-right wrap-anywhere tabular-nums">{children}</dd>
    </div>
  );
}

function Id({ name, value }: { name: string; value: number | string }) {
  return (
    <div className="flex items-center gap-2">
      <dt className="w-28 shrink-0 truncate text-muted">{name}</dt>
      <dd className="flex min-w-0 flex-1 items-center gap-2">
        <span className="min-w-0 flex-1 truncate font-mono text-12">{value}</span>
        <CopyButton
          value={String(value)}
          label={`Copy ${name}`}
          texts={{ copied: 'Copied to clipboard', failed: 'Failed to copy' }}
          iconOnly
        />
      </dd>
    </div>
  );
}
