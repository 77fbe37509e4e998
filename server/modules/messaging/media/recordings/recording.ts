/** Facts from the container of an audio or video file. */
export type Container = {
  /** By its content. */
  mimeType: string;
  /** Of its tracks, as the container names them: four letters in `<>`, or words. */
  codecs: readonly string[];
  hasVideo: boolean;
  /** Of its sound; null where there is none, or that is not said. */
  channels: number | null;
  durationMs: number | null;
};

/** Facts about an audio or video file. */
export type Recording = {
  durationMs: number | null;
  channels: number | null;
  /** Whether handsets play it as the video, or the sound, that it is. */
  isPlayable: boolean;
  /** A small JPEG of the first picture of a film; null without ffmpeg. */
  thumbnail: Uint8Array | null;
  /** Volumes from 0 to 100 of 64 parts of equal length. */
  waveform: Uint8Array | null;
};

const films: readonly string[] = ['video/mp4', 'video/3gpp'];

/** Other kinds of picture than H.264 and of sound than AAC, by the names that MP4 has for them. */
const foreign =
  /^<(?:hev1|hvc1|dvh1|dvhe|mp4v|s263|h263|av01|vp08|vp09|mjpg|jpeg|ap4[hcx]|apc[hnso]|samr|sawb|ac-3|ec-3|opus|alac|\.mp3|twos|sowt|lpcm)>$/i;
const h264 = /^<avc[13]>$/i;

/** Handsets play H.264 with AAC, or without sound, in MP4 or 3GP. */
export function isPlayable({ mimeType, hasVideo, codecs }: Container): boolean {
  if (!hasVideo) return true;
  if (!films.includes(mimeType)) return false;
  return codecs.some((codec) => h264.test(codec)) && !codecs.some((codec) => foreign.test(codec));
}

/** A voice note is Opus on one channel. */
export const isVoiceNote = ({ mimeType, channels }: Pick<Container, 'mimeType' | 'channels'>): boolean =>
  mimeType === 'audio/ogg' && channels === 1;
