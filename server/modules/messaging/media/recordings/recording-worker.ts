/** A process that reads the container of one sound or film, and decodes none of it. */
import { createReadStream } from 'node:fs';
import { parseStream } from 'music-metadata';
import { answerTask } from '../read-in-child.ts';
import type { Container } from './recording.ts';

export type RecordingTask = { path: string; mimeType: string; size: number };

/** By the name of the container that it is. */
const sameContainer: Readonly<Record<string, string>> = { 'video/3gpp': 'video/mp4', 'video/quicktime': 'video/mp4' };

answerTask(async ({ path, mimeType, size }: RecordingTask): Promise<Container> => {
  const [bare = ''] = mimeType.split(';');
  const about = { mimeType: sameContainer[bare] ?? bare, size };
  const { format } = await parseStream(createReadStream(path), about, { duration: true, skipCovers: true });
  return {
    mimeType,
    codecs: (format.trackInfo ?? []).flatMap(({ codecName }) => codecName ?? []),
    hasVideo: format.hasVideo === true,
    channels: format.numberOfChannels ?? null,
    durationMs: format.duration === undefined ? null : Math.round(format.duration * 1000),
  };
});
