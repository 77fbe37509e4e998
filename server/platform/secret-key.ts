import { randomBytes } from 'node:crypto';
import { chmod, link, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory } from '#server/platform/make-directory.ts';
import { syncDirectory } from '#server/platform/sync-directory.ts';

const keyBytes = 32;

/** The file of the key is damaged; the message is for the operator. */
export class SecretKeyFileError extends Error {
  override readonly name = 'SecretKeyFileError';
}

/** The 32-byte key kept in `dataDir`, made at the first start. Throws `SecretKeyFileError` when it holds anything else. */
export async function loadSecretKey(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, 'secret-key');
  const text = (await readIfThere(path)) ?? (await createKeyFile(dataDir, path));
  const key = Buffer.from(text.trim(), 'base64');
  // A damaged file is not replaced: what the old key encrypted would be lost for good.
  if (key.length !== keyBytes) {
    throw new SecretKeyFileError(
      `${path}: expected ${keyBytes} bytes in base64; put back the one that the data were made with`,
    );
  }
  return key;
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Written beside and linked into place: whole after a crash, and of two first starts both read the one that won. */
async function createKeyFile(dataDir: string, path: string): Promise<string> {
  await makeDirectory(dataDir);
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await chmod(draft, 0o600);
    await file.writeFile(`${randomBytes(keyBytes).toString('base64')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft);
  }
  await syncDirectory(dataDir);
  return readFile(path, 'utf8');
}
