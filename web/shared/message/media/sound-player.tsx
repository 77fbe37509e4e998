import { CircleAlert, Mic, Pause, Play } from 'lucide-react';
import { errorText } from '#web/shared/api-error.ts';
import { Spinner } from '#web/shared/ui/spinner.tsx';
import { formatBytes } from '../format-bytes.ts';
import { kindWord } from '../message-summary.ts';
import { downloadMedia } from './download-media.ts';
import type { MediaMessage } from './media-message.ts';
import { clock, SoundTrack } from './sound-track.tsx';
import { useSound } from './use-sound.ts';

/** A voice note or another sound: play, where it is loud, where it stands, how fast. */
export function SoundPlayer({ message }: { message: MediaMessage }) {
  const { media, type } = message;
  const sound = useSound(message);
  const { at, seconds, isPlaying, rate } = sound;
  if (sound.error !== null || sound.isUnreadable) return <Silent message={message} sound={sound} />;
  const length =
    seconds > 0 ? clock(isPlaying || at > 0 ? at : seconds) : media.size !== null && formatBytes(media.size);
  return (
    <span
      role="group"
      aria-label={media.file_name ?? kindWord(type)}
      className="mb-1 flex w-72 max-w-full items-center gap-2.5"
    >
      <button
        type="button"
        aria-label={isPlaying ? 'Pause' : 'Play'}
        onClick={sound.toggle}
        className="grid size-9 shrink-0 place-items-center rounded-full bg-accent text-on-accent hover:bg-accent-hover"
      >
        {sound.isLoading ? (
          <Spinner />
        ) : isPlaying ? (
          <Pause aria-hidden="true" className="size-4 fill-current" />
        ) : (
          <Play aria-hidden="true" className="ml-0.5 size-4 fill-current" />
        )}
      </button>
      <span className="min-w-0 flex-1">
        {media.file_name !== null && type === 'audio' && (
          <b className="block truncate text-13 font-medium">{media.file_name}</b>
        )}
        <SoundTrack peaks={sound.peaks} at={at} seconds={seconds} onSeek={sound.seek} />
        <span className="flex h-4 items-center gap-1.5 text-[0.6875rem] leading-3.5 text-chat-meta tabular-nums">
          {type === 'voice' && <Mic aria-hidden="true" className="size-3" />}
          <span>{length}</span>
          {(isPlaying || rate !== 1) && (
            <button
              type="button"
              aria-label={`Speed ${rate}, change`}
              onClick={sound.goFaster}
              className="ml-auto rounded-full bg-[oklch(0_0_0/0.08)] px-1.5 font-medium text-chat-ink dark:bg-white/12"
            >
              {rate}×
            </button>
          )}
        </span>
      </span>
      {sound.url !== undefined && (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- what people say has no captions
        <audio src={sound.url} {...sound.audioProps} />
      )}
    </span>
  );
}

function Silent({ message, sound }: { message: MediaMessage; sound: ReturnType<typeof useSound> }) {
  const { isUnreadable, error, refetch } = sound;
  return (
    <span className="mb-1 flex min-w-56 items-center gap-2 text-13 text-chat-meta">
      <CircleAlert aria-hidden="true" className="size-4 shrink-0" />
      <span className="min-w-0 flex-1">
        {isUnreadable ? 'This browser cannot play the file.' : errorText(error, 'The sound could not be loaded.')}
      </span>
      <button
        type="button"
        onClick={() => void (isUnreadable ? downloadMedia(message) : refetch())}
        className="font-medium text-chat-ink underline"
      >
        {isUnreadable ? 'Download' : 'Try again'}
      </button>
    </span>
  );
}
