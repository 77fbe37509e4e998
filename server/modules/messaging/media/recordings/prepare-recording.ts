import { mediaRules } from '#contracts/media.ts';
import type { MediaType } from '#contracts/message-content.ts';
import type { StoredFile } from '#server/connectors/storage/port.ts';
import type { Context } from '#server/context.ts';
import { createFairLimit } from '#server/platform/fair-limit.ts';
import { BusyError, ProblemError } from '#server/platform/errors.ts';
import { readInThread } from '../read-in-thread.ts';
import { describeFile } from '../storing/spool.ts';
import { isReadable } from './ffmpeg.ts';
import { makeVideo, makeVoiceNote, readFirstPicture, readWaveform } from './make-fit.ts';
import { isPlayable, isVoiceNote } from './recording.ts';
import type { Container, Recording } from './recording.ts';
import type { RecordingTask } from './recording-worker.ts';

const limit = createFairLimit({
  maxRunning: 2,
  maxWaiting: 200,
  refusal: () => new BusyError('Too many videos and sounds are being read. Try again in a moment.', 5),
});

const script = new URL('./recording-worker.ts', import.meta.url);

type Asked = {
  accountId: number;
  file: StoredFile;
  mimeType: string;
  /** What it is to be sent as, where that is known. */
  type: MediaType | undefined;
  /** Where another copy goes, if one is made. */
  output: string;
};

/** A sound or a film as it is stored: the file itself, or a copy that was made to fit. */
export type Prepared = { file: StoredFile; mimeType: string; recording: Recording };

const canBeSent = (mimeType: string) => mediaRules.document.types.includes(mimeType);

export const isRecording = (mimeType: string): boolean => /^(?:audio|video)\//.test(mimeType);

/**
 * Reads a sound or a film, and where ffmpeg is installed makes it fit: a film that handsets do not play becomes H.264 with
 * AAC, what is to be a voice note, or a sound that cannot be sent otherwise, Ogg with Opus. Throws 422 `media_not_supported` for what
 * cannot be sent as it is, and not be made to fit.
 */
export async function prepareRecording(ctx: Context, asked: Asked): Promise<Prepared> {
  const { accountId, file, mimeType, type } = asked;
  const task: RecordingTask = { path: file.path, mimeType, size: file.size };
  const container = await limit.run({ key: String(accountId), isKnown: true }, () =>
    readInThread<Container>(script, task),
  );
  const wanted = wantedOf({ mimeType, container, type });
  const asItIs = async () => ({ file, mimeType, recording: await recordingOf(ctx, asked, container) });
  if (wanted === 'as_it_is') return asItIs();
  const converted = await convert(ctx, asked, wanted).catch((error: unknown) => {
    // Who did not say what it is for may send it as a document yet.
    if (error instanceof ProblemError && type === undefined && canBeSent(mimeType)) return undefined;
    throw error;
  });
  return converted ? prepareRecording(ctx, { ...asked, ...converted, type: 'document' }) : asItIs();
}

type Fit = 'video' | 'voice';

/** What has to be made of it before it can go. */
function wantedOf({
  mimeType,
  container,
  type,
}: Pick<Asked, 'mimeType' | 'type'> & { container: Container | undefined }): Fit | 'as_it_is' {
  if (type === 'voice' && !(container && isVoiceNote(container))) return 'voice';
  if (type === 'document' && canBeSent(mimeType)) return 'as_it_is';
  const isFilm = container ? container.hasVideo : mimeType.startsWith('video/');
  if (isFilm) return container && isPlayable(container) ? 'as_it_is' : 'video';
  return canBeSent(mimeType) ? 'as_it_is' : 'voice';
}

async function convert(
  ctx: Context,
  { accountId, file, mimeType, output }: Asked,
  wanted: Fit,
): Promise<{ file: StoredFile; mimeType: string }> {
  const program = ctx.config.ffmpeg;
  if (program === undefined || !isReadable(mimeType)) throw new ProblemError(422, 'media_not_supported', words[wanted]);
  const source = { program, accountId, input: file.path, mimeType };
  try {
    await (wanted === 'video' ? makeVideo(source, output) : makeVoiceNote(source, output));
  } catch (error) {
    if (error instanceof BusyError) throw error;
    ctx.logger.info({ err: error, accountId }, 'a file could not be converted');
    throw new ProblemError(422, 'media_not_supported', 'The file is broken, or takes too long to convert');
  }
  const made = await describeFile(output);
  if (made.size > mediaRules[wanted].maxBytes) {
    throw new ProblemError(
      422,
      'media_not_supported',
      'Converted, the file is larger than 16 MiB: send a shorter part',
    );
  }
  return { file: made, mimeType: wanted === 'video' ? 'video/mp4' : 'audio/ogg' };
}

async function recordingOf(ctx: Context, asked: Asked, container: Container | undefined): Promise<Recording> {
  const { durationMs = null, channels = null } = container ?? {};
  const { accountId, file, mimeType } = asked;
  const recording = {
    durationMs,
    channels,
    isPlayable: container !== undefined && isPlayable(container),
    thumbnail: container?.hasVideo ? await thumbnailOf(ctx, { accountId, path: file.path, mimeType }) : null,
  };
  const program = ctx.config.ffmpeg;
  if (program === undefined || durationMs === null || !container || !isVoiceNote(container))
    return { ...recording, waveform: null };
  const waveform = await readWaveform({ program, accountId, input: file.path, mimeType }, durationMs).catch(
    (error: unknown) => {
      ctx.logger.info({ err: error, accountId }, 'a voice note goes without its waveform');
      return null;
    },
  );
  return { ...recording, waveform };
}

type Film = { accountId: number; path: string; mimeType: string };

/** A small JPEG of a film's first picture, where ffmpeg is installed and can read it. Never rejects. */
export async function thumbnailOf(ctx: Context, { accountId, path, mimeType }: Film): Promise<Uint8Array | null> {
  const program = ctx.config.ffmpeg;
  if (program === undefined || !isReadable(mimeType)) return null;
  return readFirstPicture({ program, accountId, input: path, mimeType }).catch((error: unknown) => {
    ctx.logger.info({ err: error, accountId }, 'a film goes without its first picture');
    return null;
  });
}

const words: Readonly<Record<Fit, string>> = {
  video: 'WhatsApp plays videos with H.264 and AAC in MP4: convert the file first',
  voice:
    'A voice note has to be Ogg with Opus on one channel, a sound Ogg, MP3, AAC, AMR or M4A: convert the file first',
};
