const bars = 44;
const flat: readonly number[] = Array.from({ length: bars }, () => 0);

export const trackBars = bars;

type SoundTrackProps = {
  /** Undefined where they are not known: a flat line. */
  peaks: readonly number[] | undefined;
  at: number;
  seconds: number;
  onSeek: (second: number) => void;
};

/** How loud a sound is over its length. The bars show; the slider over them is what is reached and dragged. */
export function SoundTrack({ peaks = flat, at, seconds, onSeek }: SoundTrackProps) {
  const played = seconds > 0 ? at / seconds : 0;
  return (
    <span className="relative flex h-7 items-center gap-px rounded-small has-focus-visible:outline-2 has-focus-visible:outline-focus">
      {peaks.map((peak, index) => (
        <span
          key={index}
          aria-hidden="true"
          className={`min-w-px flex-1 rounded-full ${index / bars < played ? 'bg-accent-ink' : 'bg-chat-meta/55'}`}
          style={{ height: `${12 + peak * 88}%` }}
        />
      ))}
      <input
        type="range"
        aria-label="Position"
        aria-valuetext={`${clock(at)} of ${clock(seconds)}`}
        min={0}
        max={Math.max(seconds, 0.1)}
        step={0.1}
        value={at}
        disabled={seconds === 0}
        onChange={({ target }) => onSeek(Number(target.value))}
        className="absolute inset-0 m-0 size-full cursor-pointer opacity-0"
      />
    </span>
  );
}

/** `1:04` */
export const clock = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
