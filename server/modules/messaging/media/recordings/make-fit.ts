import { mediaRules } from '#contracts/media.ts';
import { runFfmpeg } from './ffmpeg.ts';
import type { FfmpegRun } from './ffmpeg.ts';

type Source = Pick<FfmpegRun, 'program' | 'input' | 'mimeType' | 'durationMs'>;

const longestSide = 1280;
const side = (name: 'iw' | 'ih') => `trunc(min(1,${longestSide}/max(iw,ih))*${name}/2)*2`;

/** Enough to see that it would be too large. */
const most = (type: 'video' | 'voice') => String(mediaRules[type].maxBytes + 1024 * 1024);

/** The first film and sound, and nothing that the file says of itself. */
const videoArgs = [
  '-map 0:v:0 -map 0:a:0? -map_metadata -1 -sn -dn',
  '-c:v libx264 -preset veryfast -crf 26 -pix_fmt yuv420p',
  `-vf scale=w='${side('iw')}':h='${side('ih')}'`,
  '-c:a aac -b:a 96k -ac 2 -movflags +faststart -threads 1',
].flatMap((part) => part.split(' '));

/** As handsets record them: others are refused by some. */
const voiceArgs = [
  '-map 0:a:0 -map_metadata -1 -vn -sn -dn -ac 1 -ar 16000',
  '-c:a libopus -b:a 24k -frame_duration 60 -application voip -threads 1',
].flatMap((part) => part.split(' '));

/** Writes H.264 with AAC to `output`. Rejects as `runFfmpeg`. */
export const makeVideo = (source: Source, output: string): Promise<void> =>
  runFfmpeg({ ...source, args: [...videoArgs, '-fs', most('video'), '-f', 'mp4', `file:${output}`] });

/** Writes Ogg with Opus on one channel. */
export const makeVoiceNote = (source: Source, output: string): Promise<void> =>
  runFfmpeg({ ...source, args: [...voiceArgs, '-fs', most('voice'), '-f', 'ogg', `file:${output}`] });

const thumbnailSide = 100;
const thumbnailMs = 10_000;
const mostThumbnailBytes = 64 * 1024;

/** The first picture of a film, small, as a JPEG. Rejects as `runFfmpeg`, and where it has none. */
export async function readFirstPicture(source: Omit<Source, 'durationMs'>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const onOutput = (bytes: Uint8Array) => void chunks.push(bytes);
  const fit = `scale=w=${thumbnailSide}:h=${thumbnailSide}:force_original_aspect_ratio=decrease`;
  const args = [
    '-map',
    '0:v:0',
    '-map_metadata',
    '-1',
    '-frames:v',
    '1',
    '-vf',
    fit,
    '-q:v',
    '8',
    '-f',
    'mjpeg',
    'pipe:1',
  ];
  await runFfmpeg({ ...source, durationMs: 0, args, onOutput, timeoutMs: thumbnailMs });
  const picture = Buffer.concat(chunks);
  if (picture.length === 0 || picture.length > mostThumbnailBytes) throw new Error('The film has no first picture');
  return picture;
}

const samplesPerSecond = 8000;
const parts = 64;
const loudest = 100;

const waveformMs = 15_000;

/** How loud each 64th of a sound is, from 0 to 100, as handsets draw it: the loudest is 100. */
export async function readWaveform(source: Source & { durationMs: number }): Promise<Uint8Array> {
  const total = Math.max(parts, Math.ceil((source.durationMs / 1000) * samplesPerSecond));
  const sums = new Float64Array(parts);
  const counts = new Float64Array(parts);
  let place = 0;
  const onOutput = (bytes: Uint8Array) => {
    for (const byte of bytes) {
      const part = Math.min(parts - 1, Math.floor((place / total) * parts));
      // Signed bytes.
      sums[part] = (sums[part] ?? 0) + Math.abs((byte << 24) >> 24);
      counts[part] = (counts[part] ?? 0) + 1;
      place += 1;
    }
  };
  const args = ['-map', '0:a:0', '-ac', '1', '-ar', String(samplesPerSecond), '-f', 's8', 'pipe:1'];
  await runFfmpeg({ ...source, args, onOutput, timeoutMs: waveformMs });
  const volumes = sums.map((sum, part) => sum / Math.max(1, counts[part] ?? 0));
  const highest = Math.max(1, ...volumes);
  return Uint8Array.from(volumes, (volume) => Math.round((volume / highest) * loudest));
}
