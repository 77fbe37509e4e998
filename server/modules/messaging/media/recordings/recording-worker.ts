/** A thread that reads the container of one sound or film, and decodes none of it. */
import { createReadStream } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { parseStream } from 'music-metadata';
import type { Container } from './recording.ts';

export type RecordingTask = { path: string; mimeType: string; size: number };

/** By the name of the container that it is. */
const sameContainer: Readonly<Record<string, string>> = { 'video/3gpp': 'video/mp4', 'video/quicktime': 'video/mp4' };

const { path, mimeType, size } = workerData as RecordingTask;
const [bare = ''] = mimeType.split(';');
const about = { mimeType: sameContainer[bare] ?? bare, size };
const { format } = await parseStream(createReadStream(path), about, { duration: true, skipCovers: true });
const container: Container = {
  mimeType,
  codecs: (format.trackInfo ?? []).flatMap(({ codecName }) => codecName ?? []),
  hasVideo: format.hasVideo === true,
  channels: format.numberOfChannels ?? null,
  durationMs: format.duration === undefined ? null : Math.round(format.duration * 1000),
};
// The second argument is a list of what is handed over, not an origin.
parentPort?.postMessage(container, []);
