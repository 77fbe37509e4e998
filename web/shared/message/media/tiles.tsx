import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { ImageOff, Play } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { errorText, hasStatus } from '#web/shared/api-error.ts';
import { formatBytes } from '../format-bytes.ts';
import { kindWord, wordOf } from '../message-summary.ts';
import type { MediaMessage } from './media-message.ts';
import { mediaQuery } from './media-query.ts';
import { FirstPicture } from './thumbnail.tsx';
import { useView } from './viewing.tsx';

/** Of one size, whatever comes: nothing moves once it is there. */
export const tileClass = 'mb-1 block h-52 w-78 max-w-full overflow-hidden rounded-[7px]';

/** In the proportions of the picture, uncut. */
export const wholeTileClass = 'mb-1 block w-78 max-w-full overflow-hidden rounded-[7px]';

/** A round video message, as WhatsApp shows it. */
const roundClass = 'mb-1 size-52 overflow-hidden rounded-full';

export function PictureTile({ message }: { message: MediaMessage }) {
  return (
    <Picture
      mediaId={message.media.id}
      alt={message.message === '' ? kindWord(message.type) : ''}
      isSticker={message.type === 'sticker'}
      opens={message}
    />
  );
}

type PictureProps = {
  mediaId: string;
  alt: string;
  isSticker?: boolean;
  /** In its own proportions, uncut. */
  isWhole?: boolean;
  /** The message that the viewer shows once the tile is pressed. */
  opens?: MediaMessage;
};

/** A stored picture in its bubble; where it cannot be shown, why. */
export function Picture({ mediaId, alt, isSticker = false, isWhole = false, opens }: PictureProps) {
  const { data, error, refetch } = useQuery(mediaQuery(mediaId));
  const [isUnreadable, setUnreadable] = useState(false);
  const isShown = data !== undefined && error === null && !isUnreadable;
  const ownClass = isWhole && isShown ? wholeTileClass : tileClass;
  const className = isSticker ? 'mb-1 block size-36' : ownClass;
  if (error !== null || isUnreadable) {
    const isGone = hasStatus(error, 410) || isUnreadable;
    return (
      <span
        className={`${className} grid place-content-center justify-items-center gap-1.5 bg-[oklch(0_0_0/0.06)] px-3 text-center text-12 text-chat-meta dark:bg-[oklch(0_0_0/0.2)]`}
      >
        <ImageOff aria-hidden="true" className="size-5" />
        {isUnreadable ? 'This browser cannot show the picture' : errorText(error, 'The picture could not be loaded')}
        {!isGone && (
          <button type="button" onClick={() => void refetch()} className="font-medium text-chat-ink underline">
            Try again
          </button>
        )}
      </span>
    );
  }
  const picture =
    data === undefined ? (
      <span
        aria-hidden="true"
        className="block size-full animate-pulse bg-[oklch(0_0_0/0.08)] motion-reduce:animate-none dark:bg-white/10"
      />
    ) : (
      <img
        src={data.url}
        alt={alt}
        onError={() => setUnreadable(true)}
        className={isSticker ? 'size-full object-contain' : isWhole ? 'h-auto w-full' : 'size-full object-cover'}
      />
    );
  return opens === undefined ? (
    <span className={className}>{picture}</span>
  ) : (
    <Opening message={opens} className={className}>
      {picture}
    </Opening>
  );
}

/** A film is fetched once it is opened: it may be large. */
export function VideoTile({ message }: { message: MediaMessage }) {
  const { size } = message.media;
  const shape = message.context?.play_as === 'round' ? roundClass : tileClass;
  return (
    <Opening message={message} className={`${shape} relative grid place-items-center bg-[oklch(0.28_0.02_220)]`}>
      <FirstPicture media={message.media} />
      <span className="relative grid size-13 place-items-center rounded-full bg-white/90">
        <Play aria-hidden="true" className="ml-0.5 size-6 fill-[oklch(0.28_0.02_220)] text-[oklch(0.28_0.02_220)]" />
      </span>
      <span
        className={clsx(
          'absolute rounded-small bg-black/55 px-1.5 text-12 text-white tabular-nums',
          shape === roundClass ? 'bottom-6' : 'bottom-2 left-2.5',
        )}
      >
        {wordOf(message)}
        {size !== null && ` · ${formatBytes(size)}`}
      </span>
    </Opening>
  );
}

function wordInSentence(message: MediaMessage): string {
  const word = wordOf(message);
  return word === word.toUpperCase() ? word : word.toLowerCase();
}

type OpeningProps = { message: MediaMessage; className: string; children: ReactNode };

function Opening({ message, className, children }: OpeningProps) {
  const view = useView();
  if (view === undefined) return <span className={className}>{children}</span>;
  return (
    <button
      type="button"
      aria-label={`Open ${wordInSentence(message)}${message.message === '' ? '' : `: ${message.message}`}`}
      onClick={() => view(message.id)}
      className={`${className} cursor-zoom-in`}
    >
      {children}
    </button>
  );
}
