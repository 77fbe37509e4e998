import { createReadStream } from 'node:fs';
import http from 'node:http';
import type { Agent } from 'node:http';
import https from 'node:https';
import { pipeline } from 'node:stream/promises';
import type { MediaType } from '#contracts/message-content.ts';
import { failOnProxyRefusal } from '../proxy/open-file.ts';
import type { EncryptedFile } from './encrypt-file.ts';
import { folderOf } from './keys.ts';
import type { MediaConnection, MediaHosts } from './media-connection.ts';

/** No server took the file. */
export class UploadFailedError extends Error {
  override readonly name = 'UploadFailedError';
}

export type UploadPlace = { url: string; directPath: string };

export type UploadOptions = {
  connection: MediaConnection;
  type: MediaType;
  /** `https:` but for a stand-in. */
  protocol: string;
  agent: Agent | undefined;
  times: UploadTimes;
};

export type UploadTimes = {
  /** A server that neither takes nor says anything. */
  idleMs: number;
  /** The whole file: so long, and the time that it takes at so many bytes a second. */
  baseMs: number;
  bytesPerSecond: number;
};

export const uploadTimes: UploadTimes = { idleMs: 20_000, baseMs: 30_000, bytesPerSecond: 64 * 1024 };

const maxAnswerBytes = 64 * 1024;
const rounds = 2;

/** Uploads an encrypted file: each server in turn, then all again with a new key. Throws `UploadFailedError`. */
export async function uploadFile(file: EncryptedFile, options: UploadOptions): Promise<UploadPlace> {
  let hosts: MediaHosts | undefined;
  let reason = '';
  for (let round = 0; round < rounds; round += 1) {
    hosts = await options.connection.get(hosts).catch((error: unknown) => {
      throw new UploadFailedError(`WhatsApp named no server for media: ${textOf(error)}`);
    });
    for (const host of hosts.hosts) {
      const outcome = await tryHost(file, host, hosts.auth, options);
      if (typeof outcome === 'object') return outcome;
      reason = outcome;
      if (outcome === 'HTTP 401') break;
    }
  }
  throw new UploadFailedError(`WhatsApp's servers for media did not take the file (${reason})`);
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** The place, or why there is none. */
async function tryHost(
  file: EncryptedFile,
  host: string,
  auth: string,
  { type, protocol, agent, times }: UploadOptions,
): Promise<UploadPlace | string> {
  const token = file.encryptedSha256.toString('base64url');
  const url = new URL(`${protocol}//${host}/mms/${folderOf(type)}/${token}`);
  url.searchParams.set('auth', auth);
  url.searchParams.set('token', token);
  const limitMs = times.baseMs + (file.size / times.bytesPerSecond) * 1000;
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), limitMs);
  try {
    const { status, text } = await post(url, file, { agent, signal: giveUp.signal, idleMs: times.idleMs });
    const answer = parse(text);
    if (answer?.url && answer.direct_path) return { url: answer.url, directPath: answer.direct_path };
    return `HTTP ${status}`;
  } catch (error) {
    return giveUp.signal.aborted ? 'not within its time' : textOf(error);
  } finally {
    clearTimeout(timer);
  }
}

function parse(text: string): { url?: string; direct_path?: string } | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null ? answer : undefined;
  } catch {
    return undefined;
  }
}

type Way = { agent: Agent | undefined; signal: AbortSignal; idleMs: number };

async function post(
  url: URL,
  file: EncryptedFile,
  { agent, signal, idleMs }: Way,
): Promise<{ status: number; text: string }> {
  const { promise: answered, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const request = (url.protocol === 'https:' ? https : http).request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': file.size,
      origin: 'https://web.whatsapp.com',
    },
    timeout: idleMs,
    signal,
    ...(agent && { agent }),
  });
  failOnProxyRefusal(request);
  request.on('timeout', () => request.destroy(new Error('no answer')));
  request.on('error', reject);
  request.on('response', resolve);
  answered.catch(() => undefined);
  // A request without a socket yet says nothing of its end.
  signal.addEventListener('abort', () => reject(new Error('given up')), { once: true });
  const written = pipeline(createReadStream(file.path), request);
  // An answer may come before all is written, as a refusal does.
  written.catch(reject);
  const response = await answered;
  let text = '';
  for await (const part of response) {
    text += String(part);
    if (text.length > maxAnswerBytes) response.destroy(new Error('its answer is too long'));
  }
  return { status: response.statusCode ?? 0, text };
}
