import { mediaRules } from '#contracts/media.ts';
import type { MediaType } from '#contracts/message-content.ts';
import type { StoredFile } from '#server/connectors/storage/port.ts';
import type { Context } from '#server/context.ts';
import { createFairLimit } from '#server/platform/fair-limit.ts';
import { BusyError, ProblemError } from '#server/platform/errors.ts';
import { readInChild } from '../read-in-child.ts';
import { describeFile } from '../storing/spool.ts';
import { isReadable } from './ffmpeg.ts';
import { makeVideo, makeVoiceNote, readFirstPicture, readWaveform } from './make-fit.ts';
import { isPlayable, isVoiceNote } from './recording.ts';
import type { Container, Recording } from './recording.ts';
import type { RecordingTask } from './recording-worker.ts';

/**
 * A sound or a film is read, converted and looked at in one turn. With what it waits and what it takes it is done before
 * its connection is.
 */
const limit = createFairLimit({
  maxRunning: 2,
  maxOfShare: 1,
  maxWaiting: 50,
  maxWaitMs: 30_000,
  refusal: () => new BusyError('Too many videos and sounds are being converted. Try again in a moment.', 10),
});

const script = new URL('./recording-worker.ts', import.meta.url);
const headMs = 10_000;

type Asked = {
  accountId: number;
  file: StoredFile;
  mimeType: string;
  /** The type that the file is to be sent as, where that is known. */
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
export function prepareRecording(ctx: Context, asked: Asked): Promise<Prepared> {
  return limit.run({ key: String(asked.accountId), isKnown: true }, () => prepare(ctx, asked));
}

async function prepare(ctx: Context, asked: Asked): Promise<Prepared> {
  const { file, mimeType, type } = asked;
  const task: RecordingTask = { path: file.path, mimeType, size: file.size };
  const container = await readInChild<Container>(script, task, headMs);
  const wanted = wantedOf({ mimeType, container, type });
  const asItIs = async () => ({ file, mimeType, recording: await recordingOf(ctx, asked, container) });
  if (wanted === 'as_it_is') return asItIs();
  const converted = await convert(ctx, asked, { wanted, durationMs: container?.durationMs ?? null }).catch(
    (error: unknown) => {
      // Without a stated type the file may still be sent as a document.
      if (error instanceof ProblemError && type === undefined && canBeSent(mimeType)) return undefined;
      throw error;
    },
  );
  return converted ? prepare(ctx, { ...asked, ...converted, type: 'document' }) : asItIs();
}

type Fit = 'video' | 'voice';

/** The conversion that the file needs before it can go. */
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
  { wanted, durationMs }: { wanted: Fit; durationMs: number | null },
): Promise<{ file: StoredFile; mimeType: string }> {
  const program = ctx.config.ffmpeg;
  if (program === undefined || !isReadable(mimeType)) throw new ProblemError(422, 'media_not_supported', words[wanted]);
  const source = { program, input: file.path, mimeType, durationMs };
  try {
    await (wanted === 'video' ? makeVideo(source, output) : makeVoiceNote(source, output));
  } catch (error) {
    ctx.logger.info({ err: error, accountId }, 'a file could not be converted');
    const message = 'The file is broken, or takes too long to convert: send a shorter or smaller one';
    throw new ProblemError(422, 'media_not_supported', message);
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
    thumbnail: container?.hasVideo ? await readThumbnail(ctx, { accountId, path: file.path, mimeType }) : null,
  };
  const program = ctx.config.ffmpeg;
  if (program === undefined || durationMs === null || !container || !isVoiceNote(container))
    return { ...recording, waveform: null };
  const waveform = await readWaveform({ program, input: file.path, mimeType, durationMs }).catch((error: unknown) => {
    ctx.logger.info({ err: error, accountId }, 'a voice note goes without its waveform');
    return null;
  });
  return { ...recording, waveform };
}

type Film = { accountId: number; path: string; mimeType: string };

/** A small JPEG of a film's first picture, where ffmpeg is installed and can read it. Never rejects. */
export function thumbnailOf(ctx: Context, film: Film): Promise<Uint8Array | null> {
  return limit.run({ key: String(film.accountId), isKnown: true }, () => readThumbnail(ctx, film)).catch(() => null);
}

async function readThumbnail(ctx: Context, { accountId, path, mimeType }: Film): Promise<Uint8Array | null> {
  const program = ctx.config.ffmpeg;
  if (program === undefined || !isReadable(mimeType)) return null;
  return readFirstPicture({ program, input: path, mimeType }).catch((error: unknown) => {
    ctx.logger.info({ err: error, accountId }, 'a film goes without its first picture');
    return null;
  });
}

const words: Readonly<Record<Fit, string>> = {
  video: 'WhatsApp plays videos with H.264 and AAC in MP4: convert the file first',
  voice:
    'A voice note has to be Ogg with Opus on one channel, a sound Ogg, MP3, AAC, AMR or M4A: convert the file first',
};
