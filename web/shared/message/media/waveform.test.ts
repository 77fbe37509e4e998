import { expect, test } from 'vitest';
import { peaksOf } from './waveform.ts';

test('parts are as high as they are loud, beside the loudest', () => {
  expect(peaksOf(new Float32Array([0, 0, 0.5, -0.5, 1, 1, 0.25, -0.25]), 4)).toEqual([0, 0.5, 1, 0.25]);
});

test.each([[new Float32Array(0)], [new Float32Array(50)]])('silence has no height', (samples) => {
  expect(peaksOf(samples, 4)).toEqual([0, 0, 0, 0]);
});
