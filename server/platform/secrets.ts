import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

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

/** `session`, `apiKey` and `authKey` tell a leaked credential apart by its first letters. */
const prefixes = { session: 'dps_', apiKey: 'dpk_', authKey: 'dpa_', reset: 'dpr_', email: 'dpe_' } as const;
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
  return createHash('sha256').update(token).digest();
}

const version = 1;
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts what must be readable again. */
export type SecretBox = {
  /** `context` names what the secret belongs to (`project:7:auth_key`): a value moved to another row does not open. */
  seal(plain: string, context: string): Buffer;
  /** Throws when the key, the context or a byte differs. */
  open(sealed: Buffer, context: string): string;
};

/** AES-256-GCM, a random nonce each; layout: version, nonce, tag, ciphertext. `key` is 32 bytes. */
export function createSecretBox(key: Buffer): SecretBox {
  return {
    seal(plain, context) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.from([version]), nonce, cipher.getAuthTag(), body]);
    },
    open(sealed, context) {
      if (sealed[0] !== version) throw new Error(`Unknown secret version ${sealed[0]}`);
      const nonce = sealed.subarray(1, 1 + nonceBytes);
      const tag = sealed.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
        .setAAD(Buffer.from(context))
        .setAuthTag(tag);
      return decipher.update(sealed.subarray(1 + nonceBytes + tagBytes)).toString('utf8') + decipher.final('utf8');
    },
  };
}
