import { spawn } from 'node:child_process';
import { lowerPriority } from '../read-in-child.ts';

/**
 * Files are read only by the demuxer of their content's type: formats that lead to other files are never guessed at.
 */
const demuxers: Readonly<Record<string, string>> = {
  'video/mp4': 'mov',
  'video/3gpp': 'mov',
  'video/quicktime': 'mov',
  'audio/mp4': 'mov',
  'video/webm': 'matroska',
  'video/matroska': 'matroska',
  'audio/ogg': 'ogg',
  'audio/ogg; codecs=other': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/aac': 'aac',
  'audio/amr': 'amr',
  'audio/wav': 'wav',
  'audio/flac': 'flac',
};

export const isReadable = (mimeType: string): boolean => mimeType in demuxers;

const longestMs = 45_000;
const mostWords = 2_000;

/** Pixels of all pictures of a film together: a minute of 1920×1080, 5 seconds of 7680×4320. */
const mostPixels = 6_000_000_000;
const mostPixelsOfOne = 40_000_000;
const picturesPerSecond = 30;
/** For a film that does not say how long it lasts. */
const assumedSeconds = 60;

/** How large a picture of a film may be that lasts so long: ffmpeg refuses a larger one before it decodes it. */
function pixelsAllowed(durationMs: number | null): number {
  const seconds = Math.max(1, durationMs === null ? assumedSeconds : durationMs / 1000);
  return Math.min(mostPixelsOfOne, Math.floor(mostPixels / (seconds * picturesPerSecond)));
}

export type FfmpegRun = {
  /** Where it is. */
  program: string;
  input: string;
  mimeType: string;
  /** The duration that the file states; 0 where only its first picture is read. */
  durationMs: number | null;
  args: readonly string[];
  /** 45 seconds unless it says less. */
  timeoutMs?: number;
  /** Takes what it writes to its output. */
  onOutput?: (bytes: Uint8Array) => void;
};

/**
 * Runs ffmpeg over one file: without a shell, a network or anything of our environment, and for 45 seconds at the most.
 * Rejects where it fails or takes longer, with its last words.
 */
export function runFfmpeg({
  program,
  input,
  mimeType,
  durationMs,
  args,
  onOutput,
  timeoutMs = longestMs,
}: FfmpegRun): Promise<void> {
  const demuxer = demuxers[mimeType];
  if (demuxer === undefined) return Promise.reject(new Error(`There is nothing to read ${mimeType} with`));
  const safe = ['-nostdin', '-hide_banner', '-v', 'error', '-y', '-protocol_whitelist', 'file,pipe', '-threads', '1'];
  const source = ['-max_pixels', String(pixelsAllowed(durationMs)), '-f', demuxer, '-i', `file:${input}`];
  return run(program, [...safe, ...source, ...args], { onOutput, timeoutMs });
}

type Running = { onOutput: FfmpegRun['onOutput']; timeoutMs: number };

function run(program: string, args: readonly string[], { onOutput, timeoutMs }: Running): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const child = spawn(program, args, {
    stdio: ['ignore', onOutput ? 'pipe' : 'ignore', 'pipe'],
    env: {},
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  lowerPriority(child.pid);
  let words = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-mostWords);
  });
  if (onOutput) child.stdout?.on('data', onOutput);
  child.on('error', reject);
  child.on('close', (code, signal) => {
    if (code === 0) resolve();
    else reject(new Error(`ffmpeg ended with ${signal ?? code}: ${words.trim()}`));
  });
  return promise;
}
