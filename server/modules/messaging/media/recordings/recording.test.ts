import { expect, test } from 'vitest';
import { isPlayable, isVoiceNote } from './recording.ts';
import type { Container } from './recording.ts';

const film = (mimeType: string, ...codecs: string[]): Container => ({
  mimeType,
  codecs,
  hasVideo: true,
  channels: 2,
  durationMs: 1000,
});
const sound = (mimeType: string, channels: number | null): Container => ({
  ...film(mimeType),
  hasVideo: false,
  channels,
});

test.for<[string, Container, boolean]>([
  ['H.264 with AAC in MP4', film('video/mp4', '<avc1>', 'MPEG-4/AAC'), true],
  ['H.264 without sound', film('video/mp4', '<avc1>'), true],
  ['H.264 beside tracks of a camera', film('video/mp4', '<avc1>', 'MPEG-4/AAC', '<mebx>', '<tmcd>'), true],
  ['H.264 in 3GP', film('video/3gpp', '<avc3>'), true],
  ['HEVC', film('video/mp4', '<hvc1>', 'MPEG-4/AAC'), false],
  ['AV1', film('video/mp4', '<av01>'), false],
  ['H.263 with AMR in 3GP', film('video/3gpp', '<s263>', '<samr>'), false],
  ['H.264 with another sound', film('video/mp4', '<avc1>', '<Opus>'), false],
  ['H.264 in QuickTime', film('video/quicktime', '<avc1>', 'MPEG-4/AAC'), false],
  ['WebM', film('video/webm', 'VP8', 'OPUS'), false],
  ['a film whose tracks say nothing', film('video/mp4'), false],
  ['a sound', sound('audio/mpeg', 2), true],
])('%s: is it played?', ([, container, expected]) => {
  expect(isPlayable(container)).toBe(expected);
});

test.for<[string, Container, boolean]>([
  ['Opus on one channel', sound('audio/ogg', 1), true],
  ['Opus on two', sound('audio/ogg', 2), false],
  ['Vorbis', sound('audio/ogg; codecs=other', 1), false],
  ['an MP3', sound('audio/mpeg', 1), false],
])('%s: is it a voice note?', ([, container, expected]) => {
  expect(isVoiceNote(container)).toBe(expected);
});
