import { expect, test } from 'vitest';
import { attachedType, whyDocument } from './attached-type.ts';

const mebibyte = 1024 * 1024;

test.each([
  ['image/jpeg', 5 * mebibyte, 'image', undefined],
  ['image/jpeg', 5 * mebibyte + 1, 'document', 'over 5 MB, so it goes as a document'],
  ['image/webp', 1000, 'document', undefined],
  ['video/mp4', 16 * mebibyte, 'video', undefined],
  ['video/mp4', 17 * mebibyte, 'document', 'over 16 MB, so it goes as a document'],
  ['audio/ogg', 1000, 'audio', undefined],
  ['application/pdf', 90 * mebibyte, 'document', undefined],
])('%s of %i bytes goes as %s', (mime_type, size, type, reason) => {
  expect(attachedType({ mime_type, size })).toBe(type);
  expect(whyDocument({ mime_type, size })).toBe(reason);
});
