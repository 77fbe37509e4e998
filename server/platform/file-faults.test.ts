import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { describeFileFault, isFileFault } from './file-faults.ts';

const failed = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall });

test('a full disk is a fault of files, and named for the operator', async () => {
  const error: unknown = await writeFile('/dev/full', 'x').catch((fault: unknown) => fault);
  expect(isFileFault(error)).toBe(true);
  expect(describeFileFault(error as Error)).toBe(
    'DATA_DIR: expected a directory that this user may write to, on a disk with room (ENOSPC: no space left on device, write)',
  );
});

test.each([
  [failed('EROFS', 'open'), true],
  [failed('EACCES', 'mkdir'), true],
  [failed('EACCES', 'listen'), false],
  [failed('EPERM', 'connect'), false],
  [failed('EACCES', 'spawn ffmpeg'), false],
  [failed('ENOENT', 'open'), false],
  [new Error('no code'), false],
  ['no error', false],
])('%s', (error, expected) => expect(isFileFault(error)).toBe(expected));
