import { createCipheriv, createDecipheriv, createHash, createHmac, hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { createShortSeal } from './short-seal.ts';
import type { ShortSeal } from './short-seal.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function base62(value: bigint, length: number): string {
  let rest = value;
  let text = '';
  while (text.length < length) {
    text = alphabet.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}

const randomLength = 43;

function checksum(body: string): string {
  return base62(BigInt(crc32(body)), 6);
}

/** `session`, `apiKey`, `authKey` and `projectKey` are recognisable by their first letters where one has leaked. */
const prefixes = {
  session: 'dps_',
  apiKey: 'dpk_',
  authKey: 'dpa_',
  projectKey: 'dpp_',
  reset: 'dpr_',
  email: 'dpe_',
  callback: 'dpw_',
  invitation: 'dpi_',
  challenge: 'dpc_',
  device: 'dpd_',
  export: 'dpx_',
  oidc: 'dpo_',
} as const;
export type TokenKind = keyof typeof prefixes;

/** A prefix, 256 random bits in base 62 and a checksum of six characters over both. */
export function createToken(kind: TokenKind): string {
  const body = prefixes[kind] + base62(BigInt(`0x${randomBytes(32).toString('hex')}`), randomLength);
  return body + checksum(body);
}

/** The kind of a well-formed token; undefined for a mistyped one, which no query needs to look up. */
export function tokenKind(token: string): TokenKind | undefined {
  const body = token.slice(0, -6);
  for (const [kind, prefix] of Object.entries(prefixes)) {
    if (token.startsWith(prefix) && token.length === prefix.length + randomLength + 6) {
      return checksum(body) === token.slice(-6) ? (kind as TokenKind) : undefined;
    }
  }
  return undefined;
}

/** How a token is stored and looked up: it is random enough that a plain digest cannot be turned back. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** The first format, without a key id: any key of the ring may be the one. */
const withoutKeyId = 1;
const version = 2;
const keyIdBytes = 4;
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts what must be readable again. */
export type SecretBox = {
  /** The ids by which sealed values name the ring's keys, from the value's second byte on. */
  readonly keyIds: readonly Buffer[];
  /** `context` names what the secret belongs to (`project:7:auth_key`): a value moved to another row does not open. */
  seal(plain: string, context: string): Buffer;
  /** Throws when no key of the ring opens it, or the context or a byte differs. */
  open(sealed: Buffer, context: string): string;
  /** Sealed anew with the current key; undefined where that is its key already. Throws as `open` does. */
  reseal(sealed: Buffer, context: string): Buffer | undefined;
  /** Keyed digests by which a text is found again, and says nothing to anybody without the key: the current key's first. */
  fingerprints(text: string): [Buffer, ...Buffer[]];
  /** For what stands in an address; see `createShortSeal`. */
  short(purpose: 'preferences' | 'links'): ShortSeal;
};

type RingKey = { id: Buffer; key: Buffer };

const keyIdOf = (key: Buffer) => createHash('sha256').update(key).digest().subarray(0, keyIdBytes);

/**
 * AES-256-GCM, a random nonce each; layout: version, key id, nonce, tag, ciphertext. Keys are 32 bytes; `oldKeys` open
 * what they sealed, and seal nothing any more.
 */
export function createSecretBox(key: Buffer, oldKeys: readonly Buffer[] = []): SecretBox {
  const ring = [key, ...oldKeys].map((each): RingKey => ({ id: keyIdOf(each), key: each }));
  const currentId = keyIdOf(key);
  const keys = ring.map((each) => each.key);
  const short = {
    preferences: createShortSeal(keys, 'preferences'),
    links: createShortSeal(keys, 'links'),
  };

  function seal(plain: string, context: string): Buffer {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.from([version]), currentId, nonce, cipher.getAuthTag(), body]);
  }

  function open(sealed: Buffer, context: string): string {
    if (sealed[0] === withoutKeyId) return openWithAny(ring, sealed.subarray(1), context);
    if (sealed[0] !== version) throw new Error(`Unknown secret version ${sealed[0]}`);
    const id = sealed.subarray(1, 1 + keyIdBytes);
    const found = ring.find((each) => each.id.equals(id));
    if (!found) throw new Error(`No key of the ring has the id ${id.toString('hex')}`);
    return openWith(found.key, sealed.subarray(1 + keyIdBytes), context);
  }

  return {
    keyIds: ring.map(({ id }) => id),
    seal,
    open,
    short: (purpose) => short[purpose],
    fingerprints: (text) => [fingerprint(key, text), ...oldKeys.map((each) => fingerprint(each, text))],
    reseal(sealed, context) {
      const isCurrent = sealed[0] === version && sealed.subarray(1, 1 + keyIdBytes).equals(currentId);
      return isCurrent ? undefined : seal(open(sealed, context), context);
    },
  };
}

const fingerprint = (key: Buffer, text: string) =>
  createHmac('sha256', createHash('sha256').update('fingerprint').update(key).digest()).update(text).digest();

function openWith(key: Buffer, bytes: Buffer, context: string): string {
  const nonce = bytes.subarray(0, nonceBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return decipher.update(bytes.subarray(nonceBytes + tagBytes)).toString('utf8') + decipher.final('utf8');
}

function openWithAny(ring: readonly RingKey[], bytes: Buffer, context: string): string {
  let failure: unknown;
  for (const { key } of ring) {
    try {
      return openWith(key, bytes, context);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
