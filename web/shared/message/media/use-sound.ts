import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type SyntheticEvent } from 'react';
import type { MediaMessage } from './media-message.ts';
import { mediaQuery } from './media-query.ts';
import { trackBars } from './sound-track.tsx';
import { maxDecodedBytes, readWaveform, type Waveform } from './waveform.ts';

const rates = [1, 1.5, 2] as const;

/** Only one sound plays at a time. */
let sounding: HTMLAudioElement | undefined;

type AudioEvent = SyntheticEvent<HTMLAudioElement>;

/** Plays the sound of a message. A long one is fetched once it is to be played. */
export function useSound({ media }: MediaMessage) {
  const [isWanted, setWanted] = useState((media.size ?? 0) <= maxDecodedBytes);
  const { data, error, refetch } = useQuery({ ...mediaQuery(media.id), enabled: isWanted });
  const url = data?.url;
  const waveform = useWaveform(data?.blob);
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [startsOnceThere, setStarts] = useState(false);
  const [at, setAt] = useState(0);
  const [length, setLength] = useState(0);
  const [rate, setRate] = useState<(typeof rates)[number]>(1);
  const [isUnreadable, setUnreadable] = useState(false);

  function toggle(): void {
    setWanted(true);
    if (audio.current === null) setStarts(true);
    else if (isPlaying) audio.current.pause();
    else void audio.current.play().catch(() => setPlaying(false));
  }

  function seek(second: number): void {
    setAt(second);
    if (audio.current !== null) audio.current.currentTime = second;
  }

  function goFaster(): void {
    const next = rates[(rates.indexOf(rate) + 1) % rates.length] ?? 1;
    setRate(next);
    if (audio.current !== null) audio.current.playbackRate = next;
  }

  return {
    url,
    peaks: waveform?.peaks,
    at,
    seconds: waveform?.seconds ?? length,
    rate,
    isPlaying,
    isLoading: startsOnceThere && url === undefined && error === null,
    error,
    isUnreadable,
    refetch,
    toggle,
    seek,
    goFaster,
    audioProps: {
      ref: audio,
      autoPlay: startsOnceThere,
      onPlay: ({ currentTarget }: AudioEvent) => {
        if (sounding !== currentTarget) sounding?.pause();
        sounding = currentTarget;
        setPlaying(true);
      },
      onPause: () => setPlaying(false),
      onEnded: () => setAt(0),
      onTimeUpdate: ({ currentTarget }: AudioEvent) => setAt(currentTarget.currentTime),
      onDurationChange: ({ currentTarget: { duration } }: AudioEvent) => {
        if (Number.isFinite(duration)) setLength(duration);
      },
      onError: () => setUnreadable(true),
    },
  };
}

function useWaveform(sound: Blob | undefined): Waveform | undefined {
  const [waveform, setWaveform] = useState<Waveform>();
  useEffect(() => {
    let isCurrent = true;
    if (sound !== undefined) {
      void readWaveform(sound, trackBars).then((read) => {
        if (isCurrent) setWaveform(read);
      });
    }
    return () => {
      isCurrent = false;
    };
  }, [sound]);
  return waveform;
}
