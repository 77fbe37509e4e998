import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, Download, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useState, type KeyboardEvent } from 'react';
import type { Message } from '#contracts/messages.ts';
import { errorText } from '#web/shared/api-error.ts';
import { formatDateTime } from '#web/shared/time-format.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { Spinner } from '#web/shared/ui/spinner.tsx';
import { useReturnFocus } from '#web/shared/ui/use-return-focus.ts';
import { messageSummary, kindWord, wordOf } from '../message-summary.ts';
import { downloadMedia } from './download-media.ts';
import type { MediaMessage } from './media-message.ts';
import { mediaQuery } from './media-query.ts';

type MediaViewerProps = {
  /** Oldest first, as they are gone through. */
  messages: readonly MediaMessage[];
  at: number;
  nameOf: (message: Message) => string;
  onShow: (messageId: number) => void;
  onClose: () => void;
};

const onDark = 'text-white hover:bg-white/15 hover:text-white disabled:text-white/35';

/** Pictures and films, one at a time over the whole page: arrows go on, Escape closes, D downloads. */
export function MediaViewer({ messages, at, nameOf, onShow, onClose }: MediaViewerProps) {
  const { noteOpener, returnFocus } = useReturnFocus();
  const message = messages[at];
  if (message === undefined) return null;
  const who = message.direction === 'outgoing' ? 'You' : nameOf(message);
  const show = (index: number) => {
    const next = messages[index];
    if (next !== undefined) onShow(next.id);
  };

  function handleKey(event: KeyboardEvent): void {
    // A film's own keys go through it.
    if (event.target instanceof HTMLMediaElement || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = {
      ArrowLeft: () => show(at - 1),
      ArrowRight: () => show(at + 1),
      Home: () => show(0),
      End: () => show(messages.length - 1),
      d: () => void (message && downloadMedia(message)),
    }[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  }

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-70 animate-fade-in bg-[oklch(0_0_0/0.9)]" />
        <Dialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            noteOpener();
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus();
          }}
          onCloseAutoFocus={returnFocus}
          onKeyDown={handleKey}
          className="fixed inset-0 z-70 grid animate-fade-in grid-rows-[auto_minmax(0,1fr)_auto] text-white outline-none"
        >
          <header className="flex items-center gap-2 px-3 py-2.5 sm:px-5">
            <Dialog.Title className="min-w-0 flex-1 text-14">
              <span className="block truncate">
                <bdi>{who}</bdi>
                <span className="sr-only">, {wordOf(message)}</span>
              </span>
              <span className="block truncate text-12 font-normal text-white/75 tabular-nums">
                {formatDateTime(message.created_at)}
                {messages.length > 1 && ` · ${at + 1} of ${messages.length}`}
              </span>
            </Dialog.Title>
            <IconButton
              label="Download"
              icon={<Download className="size-4.5" />}
              className={onDark}
              onClick={() => void downloadMedia(message)}
            />
            <Dialog.Close asChild>
              <IconButton label="Close" icon={<X className="size-4.5" />} className={onDark} />
            </Dialog.Close>
          </header>
          <div className="relative min-h-0">
            <Shown key={message.id} message={message} />
            {messages.length > 1 && (
              <>
                <IconButton
                  label="Previous"
                  icon={<ChevronLeft className="size-5" />}
                  disabled={at === 0}
                  onClick={() => show(at - 1)}
                  className={`absolute top-1/2 left-2 -translate-y-1/2 bg-[oklch(0_0_0/0.4)] ${onDark}`}
                />
                <IconButton
                  label="Next"
                  icon={<ChevronRight className="size-5" />}
                  disabled={at === messages.length - 1}
                  onClick={() => show(at + 1)}
                  className={`absolute top-1/2 right-2 -translate-y-1/2 bg-[oklch(0_0_0/0.4)] ${onDark}`}
                />
              </>
            )}
          </div>
          <p
            dir="auto"
            className="mx-auto max-h-32 min-h-6 max-w-3xl overflow-y-auto px-5 py-3 text-center whitespace-pre-wrap wrap-anywhere"
          >
            {message.message}
          </p>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Shown({ message }: { message: MediaMessage }) {
  const { data, error, refetch } = useQuery(mediaQuery(message.media.id));
  const [isUnreadable, setUnreadable] = useState(false);
  const place = 'absolute inset-0 size-full object-scale-down px-2 sm:px-14';
  if (error !== null) {
    return (
      <div role="alert" className="grid h-full place-content-center justify-items-center gap-3 px-5 text-center">
        <p>{errorText(error, 'The file could not be loaded.')}</p>
        <Button onClick={() => void refetch()}>Try again</Button>
      </div>
    );
  }
  if (isUnreadable) {
    return (
      <div role="alert" className="grid h-full place-content-center justify-items-center gap-3 px-5 text-center">
        <p>This browser cannot show the file.</p>
        <Button onClick={() => void downloadMedia(message)}>Download it</Button>
      </div>
    );
  }
  if (data === undefined) {
    return (
      <p role="status" className="grid h-full place-content-center">
        <Spinner />
        <span className="sr-only">Loading</span>
      </p>
    );
  }
  const handleError = () => setUnreadable(true);
  const isAnimation = message.context?.play_as === 'gif';
  return message.type === 'video' ? (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- what people film has no captions
    <video
      src={data.url}
      controls
      autoPlay
      loop={isAnimation}
      muted={isAnimation}
      onError={handleError}
      aria-label={messageSummary(message)}
      className={place}
    />
  ) : (
    <img src={data.url} alt={message.message || kindWord(message.type)} onError={handleError} className={place} />
  );
}
