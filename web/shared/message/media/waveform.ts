/** Longer sounds than that are not decoded for their picture. */
export const maxDecodedBytes = 3 * 1024 * 1024;

/** The loudness of `count` equal parts of the samples, each 0 to 1 of the loudest. */
export function peaksOf(samples: Float32Array, count: number): readonly number[] {
  const length = Math.max(1, Math.floor(samples.length / count));
  const peaks = Array.from({ length: count }, (_, part) => {
    let sum = 0;
    for (let at = part * length; at < Math.min(samples.length, (part + 1) * length); at += 1) {
      sum += Math.abs(samples[at] ?? 0);
    }
    return sum / length;
  });
  const loudest = Math.max(...peaks, Number.EPSILON);
  return peaks.map((peak) => peak / loudest);
}

export type Waveform = { peaks: readonly number[]; seconds: number };

/** Undefined for what this browser cannot decode, or is too long to. */
export async function readWaveform(sound: Blob, count: number): Promise<Waveform | undefined> {
  if (sound.size > maxDecodedBytes) return undefined;
  try {
    // A low rate is enough to see loudness, and holds little memory.
    const context = new OfflineAudioContext(1, 1, 8000);
    const decoded = await context.decodeAudioData(await sound.arrayBuffer());
    return { peaks: peaksOf(decoded.getChannelData(0), count), seconds: decoded.duration };
  } catch {
    return undefined;
  }
}
