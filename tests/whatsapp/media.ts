/** The servers that keep media: where devices upload files, and where they fetch them. */
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { getMediaKeys, normalizeMessageContent, proto } from 'baileys';
import type { BinaryNode } from './nodes.ts';
import { bytesOf, child, newId, node, nowSeconds } from './nodes.ts';

/** A fault in an upload: the server hangs, breaks off, takes it and names no place, or says that the key is too old. */
export type UploadFault = 'hang' | 'drop' | 'no_url' | 'expired';

/**
 * A fault in a download: an HTTP status; cut off in the middle; a changed byte; a wrong MAC; without end; nothing after
 * the head; nothing at all.
 */
export type DownloadFault = 403 | 404 | 410 | 500 | 'cut' | 'changed' | 'wrong_mac' | 'endless' | 'stalled' | 'hang';

/** The handset's reaction when asked to upload a file again. */
export type AgainAnswer = 'uploads' | 'not_found' | 'silence' | 'garbage';

export type MediaFaults = {
  /** By the place of the server in the list that devices get. */
  uploads: Partial<Record<0 | 1, UploadFault>>;
  download: DownloadFault | undefined;
  again: AgainAnswer;
  ttlSeconds: number;
};

export type MediaKind = 'image' | 'video' | 'audio' | 'document' | 'sticker';

type Shared = { mediaKey: Buffer; type: MediaKind; encrypted: Buffer };

const macBytes = 10;

export class MediaServers {
  readonly faults: MediaFaults = { uploads: {}, download: undefined, again: 'silence', ttlSeconds: 3600 };
  readonly #files = new Map<string, Buffer>();
  readonly #shared = new Map<string, Shared>();
  /** Each device has its own, which stays good when another asks. */
  readonly #auths = new Set<string>();
  /** Faults of single files, by their paths. */
  readonly #spoilt = new Map<string, DownloadFault>();
  readonly counts = { connections: 0, begunUploads: 0, uploads: 0, refusedUploads: 0, downloads: 0, askedAgain: 0 };

  /** The answer to `media_conn`; the same port under two names. */
  answerConnection(port: number): BinaryNode {
    this.counts.connections += 1;
    // A device that asks anew has a key that is good.
    if (Object.values(this.faults.uploads).includes('expired') && this.counts.connections > 1) this.faults.uploads = {};
    const auth = newId('AUTH');
    this.#auths.add(auth);
    const hosts = ['127.0.0.1', 'localhost'].map((name) => node('host', { hostname: `${name}:${port}` }));
    return node('media_conn', { auth, ttl: `${this.faults.ttlSeconds}`, max_buckets: '12' }, hosts);
  }

  /** Whether it was a request for media. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const url = new URL(request.url ?? '', 'http://media');
    if (url.pathname.startsWith('/mms/')) void this.#takeUpload(request, response, url);
    else if (url.pathname.startsWith('/v/t62/')) this.#serve(url.pathname, response);
    else return false;
    return true;
  }

  async #takeUpload(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    this.counts.begunUploads += 1;
    const place = request.headers.host?.startsWith('localhost') ? 1 : 0;
    const fault = this.faults.uploads[place];
    if (fault === 'hang') return void request.resume();
    if (fault === 'drop') return void request.once('data', () => request.destroy());
    const [, , kind = '', name = ''] = url.pathname.split('/');
    const hash = createHash('sha256');
    const parts: Buffer[] = [];
    for await (const part of request) {
      hash.update(part as Buffer);
      parts.push(part as Buffer);
    }
    const body = Buffer.concat(parts);
    const refuse = (status: number) => {
      this.counts.refusedUploads += 1;
      response.writeHead(status).end('{}');
    };
    if (fault === 'expired' || !this.#auths.has(url.searchParams.get('auth') ?? '')) return refuse(401);
    if (!['image', 'video', 'audio', 'document'].includes(kind)) return refuse(404);
    if (hash.digest('base64url') !== name || url.searchParams.get('token') !== name) return refuse(400);
    if (Number(request.headers['content-length']) !== body.length) return refuse(411);
    if (request.headers['content-type'] !== 'application/octet-stream' || !request.headers.origin) return refuse(415);
    if (fault === 'no_url') return void response.end('{"ok":true}');
    this.counts.uploads += 1;
    const path = this.#keep(body);
    response.end(JSON.stringify({ url: `https://mmg.whatsapp.net${path}`, direct_path: path, handle: newId('H') }));
  }

  #keep(encrypted: Buffer): string {
    const path = `/v/t62/${randomBytes(8).toString('hex')}.enc`;
    this.#files.set(path, encrypted);
    return path;
  }

  #serve(path: string, response: ServerResponse): void {
    this.counts.downloads += 1;
    const file = this.#files.get(path);
    const fault = this.#spoilt.get(path) ?? this.faults.download;
    if (!file) return void response.writeHead(404).end();
    if (typeof fault === 'number') return void response.writeHead(fault).end();
    switch (fault) {
      case 'hang':
        return;
      case 'stalled':
        return void response.writeHead(200, { 'content-length': file.length }).write(file.subarray(0, 16));
      case 'cut':
        response.writeHead(200, { 'content-length': file.length });
        return void response.write(file.subarray(0, Math.floor(file.length / 2)), () => response.destroy());
      case 'endless':
        return endless(response);
      case 'changed':
        return void response.end(flip(file, 3));
      case 'wrong_mac':
        return void response.end(flip(file, file.length - 1));
      default:
        response.writeHead(200, { 'content-length': file.length }).end(file);
    }
  }

  /** Encrypts and keeps a file as a handset does; answers the fields that a message carries of it. */
  async share(
    bytes: Buffer,
    type: MediaKind,
    fault?: DownloadFault,
  ): Promise<{ fields: proto.Message.IImageMessage; shared: Shared }> {
    const mediaKey = randomBytes(32);
    const { cipherKey, iv, macKey } = await getMediaKeys(mediaKey, type);
    const cipher = createCipheriv('aes-256-cbc', cipherKey, iv);
    const body = Buffer.concat([cipher.update(bytes), cipher.final()]);
    const mac = createHmac('sha256', macKey ?? '')
      .update(iv)
      .update(body)
      .digest()
      .subarray(0, macBytes);
    const encrypted = Buffer.concat([body, mac]);
    const directPath = this.#keep(encrypted);
    if (fault !== undefined) this.#spoilt.set(directPath, fault);
    const fields = {
      url: `https://mmg.whatsapp.net${directPath}`,
      directPath,
      mediaKey,
      fileEncSha256: createHash('sha256').update(encrypted).digest(),
      fileSha256: createHash('sha256').update(bytes).digest(),
      fileLength: bytes.length,
      mediaKeyTimestamp: nowSeconds(),
    };
    return { fields, shared: { mediaKey, type, encrypted } };
  }

  /** Keeps a file for the sender's handset to upload again, by the id of the message. */
  remember(messageId: string, shared: Shared): void {
    this.#shared.set(messageId, shared);
  }

  /** Opens a message's file as a contact would; rejects where anything of it is not as the message says. */
  async open(message: proto.IMessage): Promise<Buffer> {
    const content = normalizeMessageContent(message) ?? {};
    const found = Object.entries(content).find(([, part]) => (part as { mediaKey?: unknown } | null)?.mediaKey);
    if (!found) throw new Error('The message carries no file');
    const [name, part] = found as [string, proto.Message.IImageMessage];
    const encrypted = this.#files.get(part.directPath ?? '');
    if (!encrypted) throw new Error('There is no file at its path');
    const kind = name.replace('Message', '') as MediaKind;
    const { cipherKey, iv, macKey } = await getMediaKeys(part.mediaKey, kind);
    demand(createHash('sha256').update(encrypted).digest(), part.fileEncSha256, 'hash of the ciphertext');
    const body = encrypted.subarray(0, -macBytes);
    const mac = createHmac('sha256', macKey ?? '')
      .update(iv)
      .update(body)
      .digest();
    demand(mac.subarray(0, macBytes), encrypted.subarray(-macBytes), 'MAC');
    const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv);
    const plain = Buffer.concat([decipher.update(body), decipher.final()]);
    demand(createHash('sha256').update(plain).digest(), part.fileSha256, 'hash');
    if (Number(part.fileLength) !== plain.length) throw new Error('The length is wrong');
    return plain;
  }

  /** The answer of the sender's handset when asked for a file again; undefined: nothing. */
  async answerAgain(receipt: BinaryNode, from: string): Promise<BinaryNode | undefined> {
    this.counts.askedAgain += 1;
    const id = receipt.attrs.id ?? '';
    const shared = this.#shared.get(id);
    const rmr = child(receipt, 'rmr');
    if (!bytesOf(child(child(receipt, 'encrypt'), 'enc_p')) || !rmr) throw new Error('A request without its parts');
    const { again } = this.faults;
    if (again === 'silence' || !shared) return undefined;
    const attrs = { from, id, type: 'mediaretry', t: `${nowSeconds()}` };
    const notification = (content: BinaryNode[]) => node('notification', attrs, [node('rmr', rmr.attrs), ...content]);
    if (again === 'not_found') return notification([node('error', { code: '2' })]);
    if (again === 'uploads') this.faults.download = undefined;
    const directPath = this.#keep(shared.encrypted);
    const answer = proto.MediaRetryNotification.encode({
      stanzaId: id,
      directPath,
      result: proto.MediaRetryNotification.ResultType.SUCCESS,
    }).finish();
    const { ciphertext, iv } = await sealAgain(answer, shared.mediaKey, id);
    const sealed = again === 'garbage' ? flip(ciphertext, 0) : ciphertext;
    return notification([node('encrypt', {}, [node('enc_p', {}, sealed), node('enc_iv', {}, iv)])]);
  }
}

async function sealAgain(plain: Uint8Array, mediaKey: Buffer, id: string): Promise<{ ciphertext: Buffer; iv: Buffer }> {
  const key = Buffer.from(
    await crypto.subtle.deriveBits(
      {
        name: 'HKDF',
        hash: 'SHA-256',
        salt: new Uint8Array(32),
        info: new TextEncoder().encode('WhatsApp Media Retry Notification'),
      },
      await crypto.subtle.importKey('raw', new Uint8Array(mediaKey), 'HKDF', false, ['deriveBits']),
      256,
    ),
  );
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(id));
  return { ciphertext: Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]), iv };
}

function demand(actual: Uint8Array, expected: Uint8Array | null | undefined, what: string): void {
  if (!expected || !Buffer.from(actual).equals(Buffer.from(expected))) throw new Error(`The ${what} is wrong`);
}

function flip(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}

function endless(response: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024, 7);
  const write = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', write);
  write();
}
