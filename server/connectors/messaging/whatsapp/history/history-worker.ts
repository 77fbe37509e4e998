/** A thread that takes one history apart: `start`, its pieces, `end`; answers with findings and asks for the next piece. */
import { createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { createInflate } from 'node:zlib';
import { parentPort, workerData } from 'node:worker_threads';
import { HistoryReader } from './findings.ts';
import type { Findings } from './findings.ts';

/** How the file is encrypted; undefined for one that came inside the message. */
export type HistoryKeys = { cipherKey: Uint8Array; iv: Uint8Array; macKey: Uint8Array };

/** `since`: messages are read from that time on, in seconds since 1970. */
export type HistoryTask = { keys: HistoryKeys | undefined; since: number | undefined };

/** A piece of the file; undefined at its end. */
export type ToWorker = { piece: Uint8Array | undefined };
export type FromWorker = { kind: 'next' } | { kind: 'findings'; findings: Findings } | { kind: 'done' };

/** More than any handset shares: a small file that inflates for ever is hostile. */
const maxBytes = 2 * 2 ** 30;
const macBytes = 10;

const port = parentPort;
if (!port) throw new Error('This runs in a worker thread');
const tell = (message: FromWorker) => port.postMessage(message);

const { keys: historyKeys, since } = workerData as HistoryTask;
const decrypter = createDecrypter(historyKeys);
const reader = new HistoryReader(since);
const inflate = createInflate();
let inflated = 0;

inflate.on('data', (data: Buffer) => {
  inflated += data.length;
  if (inflated > maxBytes) throw new Error('A history is too large');
  const findings = reader.push(data);
  const { mappings, tokens, expirations, chats } = findings;
  if (mappings.length + tokens.length + expirations.length + chats.length > 0) tell({ kind: 'findings', findings });
});
inflate.on('end', () => {
  reader.end();
  tell({ kind: 'done' });
});

port.on('message', ({ piece }: ToWorker) => {
  if (!piece) return void inflate.end(decrypter.end());
  inflate.write(decrypter.update(Buffer.from(piece)), () => tell({ kind: 'next' }));
});

/** The last ten bytes are the MAC of what is before them. */
function createDecrypter(keys: HistoryKeys | undefined) {
  if (!keys) return { update: (data: Buffer) => data, end: () => Buffer.alloc(0) };
  const decipher = createDecipheriv('aes-256-cbc', keys.cipherKey, keys.iv);
  const mac = createHmac('sha256', keys.macKey).update(keys.iv);
  let tail = Buffer.alloc(0);
  return {
    update(data: Buffer): Buffer {
      const all = Buffer.concat([tail, data]);
      const body = all.subarray(0, Math.max(0, all.length - macBytes));
      tail = Buffer.from(all.subarray(body.length));
      mac.update(body);
      return decipher.update(body);
    },
    end(): Buffer {
      const expected = mac.digest().subarray(0, macBytes);
      if (tail.length !== macBytes || !timingSafeEqual(tail, expected))
        throw new Error('The MAC of a history is wrong');
      return decipher.final();
    },
  };
}
