import { createSign, createVerify, generateKeyPairSync } from 'node:crypto';
import { crc32 } from 'node:zlib';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** The key shown where the certificate is asked for. */
export const publicKeyPem = publicKey.export({ type: 'spki', format: 'pem' });

export type Signed = { id: string; time: string; webhookId: string; body: Buffer };

const messageOf = ({ id, time, webhookId, body }: Signed) => `${id}|${time}|${webhookId}|${crc32(body)}`;

export function sign(signed: Signed): string {
  return createSign('RSA-SHA256').update(messageOf(signed)).sign(privateKey, 'base64');
}

export function isSignedByUs(signed: Signed, signature: string): boolean {
  return createVerify('RSA-SHA256').update(messageOf(signed)).verify(publicKey, signature, 'base64');
}

/** The bytes of one member of a JSON object, exactly as they stand there; undefined when it has none of that name. */
export function rawMember(json: Buffer, name: string): Buffer | undefined {
  const key = Buffer.from(`"${name}":`);
  for (let at = 0, depth = 0; at < json.length; at += 1) {
    if (depth === 1 && json.subarray(at, at + key.length).equals(key)) {
      const start = at + key.length;
      return json.subarray(start, endOfValue(json, start));
    }
    const character = json[at];
    if (character === quote) at = endOfString(json, at) - 1;
    else if (character === openBrace || character === openBracket) depth += 1;
    else if (character === closeBrace || character === closeBracket) depth -= 1;
  }
  return undefined;
}

const [quote, backslash, comma, openBrace, closeBrace, openBracket, closeBracket] = Buffer.from('"\\,{}[]');

/** Just past the closing quote. */
function endOfString(json: Buffer, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1;
  return at + 1;
}

function endOfValue(json: Buffer, start: number): number {
  let depth = 0;
  let at = start;
  while (at < json.length) {
    const character = json[at];
    if (character === quote) {
      at = endOfString(json, at);
      continue;
    }
    if (depth === 0 && (character === comma || character === closeBrace)) return at;
    if (character === openBrace || character === openBracket) depth += 1;
    if (character === closeBrace || character === closeBracket) depth -= 1;
    at += 1;
  }
  return at;
}
