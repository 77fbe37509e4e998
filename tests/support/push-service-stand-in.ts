import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Of one browser: what a page gives the server, and with what the browser opens what comes. */
function createBrowser(base: string, path: string) {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  const auth = randomBytes(16);
  const keys = { p256dh: pair.getPublicKey().toString('base64url'), auth: auth.toString('base64url') };
  return { subscription: { endpoint: `${base}/${path}`, keys }, pair, auth };
}
type Browser = ReturnType<typeof createBrowser>;

const derive = (secret: Buffer, salt: Buffer, info: Buffer | string, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length));

/** RFC 8291 over RFC 8188: a single record, whose last byte before the padding is a 2. */
function open({ pair, auth }: Browser, body: Buffer): string {
  const [salt, recordSize, idLength] = [body.subarray(0, 16), body.readUInt32BE(16), body.readUInt8(20)];
  const [sender, record] = [body.subarray(21, 21 + idLength), body.subarray(21 + idLength)];
  if (idLength !== 65) throw new Error('The key of the sender has no 65 bytes');
  if (record.length > recordSize) throw new Error('There is more than one record');
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender]);
  const secret = derive(pair.computeSecret(sender), auth, info, 32);
  const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== 2) throw new Error('The record is not the last one');
  return padded.subarray(0, end).toString();
}

const dayMs = 86_400_000;

/** RFC 8292: who sends, to this service alone, for at most a day. */
function requireVapid(authorization: string, origin: string): void {
  const { token = '', key = '' } = /^vapid t=(?<token>[\w.-]+), ?k=(?<key>[\w-]+)$/.exec(authorization)?.groups ?? {};
  const [header = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  if (point.length !== 65 || point[0] !== 4) throw new Error('The key is not a point');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' });
  const signed = Buffer.from(`${header}.${claims}`);
  const isSigned = verify(
    'sha256',
    signed,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) throw new Error('The signature is not of the key');
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
  if (read(header)['alg'] !== 'ES256') throw new Error('The algorithm is not ES256');
  const { aud, exp, sub } = read(claims);
  if (aud !== origin) throw new Error(`The audience is ${String(aud)}`);
  const left = Number(exp) * 1000 - Date.now();
  if (!(left > 0 && left <= dayMs)) throw new Error('The token is over, or lasts longer than a day');
  if (!/^(mailto:.+@|https:)/.test(String(sub))) throw new Error('Nobody could be reached');
}

function requireHeaders(headers: IncomingHttpHeaders): void {
  if (headers['content-encoding'] !== 'aes128gcm') throw new Error('The encoding is not aes128gcm');
  if (!/^\d+$/.test(String(headers.ttl))) throw new Error('There is no TTL');
}

export type Push = { path: string; payload: unknown };

/** A push service and the browsers behind it, as strict as the real ones: what they would refuse is a 400 and a fault. */
export async function startPushServiceStandIn() {
  const browsers = new Map<string, Browser>();
  const service = { pushes: [] as Push[], faults: [] as string[], status: 201 };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const path = (request.url ?? '').slice(1);
      const browser = browsers.get(path);
      if (service.status !== 201 || !browser) return response.writeHead(browser ? service.status : 410).end();
      try {
        const body = Buffer.concat(parts);
        if (request.method !== 'POST' || body.length > 4096) throw new Error('No POST of at most 4,096 bytes');
        requireHeaders(request.headers);
        requireVapid(request.headers.authorization ?? '', url);
        service.pushes.push({ path, payload: JSON.parse(open(browser, body)) });
        return response.writeHead(201).end();
      } catch (error) {
        service.faults.push(String(error));
        return response.writeHead(400).end();
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(service, {
    /** A browser that subscribed, another for each path; answers what its page tells the server. */
    subscribe(path: string) {
      const browser = browsers.get(path) ?? createBrowser(url, path);
      browsers.set(path, browser);
      return browser.subscription;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, 'close');
    },
  });
}
