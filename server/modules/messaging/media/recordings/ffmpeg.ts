import { spawn } from 'node:child_process';
import { createFairLimit } from '#server/platform/fair-limit.ts';
import { BusyError } from '#server/platform/errors.ts';

/** What is read is what its content says and nothing else: formats that lead to other files are never guessed at. */
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

const longestMs = 120_000;
const mostWords = 2_000;

/** One at a time: each takes a processor. */
const limit = createFairLimit({
  maxRunning: 1,
  maxWaiting: 50,
  refusal: () => new BusyError('Too many videos and sounds are being converted. Try again in a moment.', 10),
});

export type FfmpegRun = {
  /** Where it is. */
  program: string;
  accountId: number;
  input: string;
  mimeType: string;
  args: readonly string[];
  /** Two minutes unless it says less. */
  timeoutMs?: number;
  /** Takes what it writes to its output. */
  onOutput?: (bytes: Uint8Array) => void;
};

/**
 * Runs ffmpeg over one file: without a shell, a network or anything of our environment, and for two minutes at the most.
 * Rejects where it fails or takes longer, with its last words.
 */
export function runFfmpeg({
  program,
  accountId,
  input,
  mimeType,
  args,
  onOutput,
  timeoutMs = longestMs,
}: FfmpegRun): Promise<void> {
  const demuxer = demuxers[mimeType];
  if (demuxer === undefined) return Promise.reject(new Error(`There is nothing to read ${mimeType} with`));
  const safe = ['-nostdin', '-hide_banner', '-v', 'error', '-y', '-protocol_whitelist', 'file,pipe', '-threads', '1'];
  const source = ['-f', demuxer, '-i', `file:${input}`];
  return limit.run({ key: String(accountId), isKnown: true }, () =>
    run(program, [...safe, ...source, ...args], { onOutput, timeoutMs }),
  );
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
