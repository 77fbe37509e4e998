import { createReadStream } from 'node:fs';
import { extname } from 'node:path';

/** By another name in our lists. */
const synonyms: Readonly<Record<string, string>> = {
  'audio/x-m4a': 'audio/mp4',
  'audio/ogg; codecs=opus': 'audio/ogg',
  'video/3gpp2': 'video/3gpp',
  'video/x-m4v': 'video/mp4',
};

/** Office formats that share a container: only the name tells them apart. */
const legacyOffice: Readonly<Record<string, string>> = {
  '.doc': 'application/msword',
  '.xls': 'application/vnd.ms-excel',
  '.ppt': 'application/vnd.ms-powerpoint',
};

/** The type of a file by its content; undefined for unknown bytes. */
export async function sniffType(path: string, fileName: string | null): Promise<string | undefined> {
  const extension = extname(fileName ?? '').toLowerCase();
  const { fileTypeFromFile } = await import('file-type');
  const found = await fileTypeFromFile(path).catch(() => undefined);
  if (found?.mime === 'application/x-cfb') return legacyOffice[extension] ?? 'application/x-cfb';
  // An Ogg file is a voice note with Opus alone.
  if (found?.mime === 'audio/ogg') return 'audio/ogg; codecs=other';
  if (found) return synonyms[found.mime] ?? found.mime;
  if (!(await isText(path))) return undefined;
  return extension === '.csv' ? 'text/csv' : 'text/plain';
}

async function isText(path: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const part of createReadStream(path)) {
      if (decoder.decode(part as Buffer, { stream: true }).includes('\u0000')) return false;
    }
    decoder.decode();
    return true;
  } catch {
    return false;
  }
}
