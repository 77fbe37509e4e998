import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';

const blockBytes = 16;
/** Zeros that only a block which was sealed here has: a guess has them once in 2^40. */
const checkBytes = 5;
export const shortContentBytes = blockBytes - checkBytes;

/** 22 characters of base64url. */
export const shortSealPattern = /^[\w-]{22}$/;

/** Seals what stands in an address: 11 bytes become 22 characters, which nobody else can make or read. */
export type ShortSeal = {
  seal(content: Uint8Array): string;
  /** Undefined for what no key of the ring has sealed. */
  open(text: string): Buffer | undefined;
};

/**
 * A single block of AES-256: the same content has the same address. The keys are derived for `purpose`, so that an address of
 * one kind is none of another.
 */
export function createShortSeal(keys: readonly Buffer[], purpose: string): ShortSeal {
  const derived = keys.map((key) => Buffer.from(hkdfSync('sha256', key, '', purpose, 32)));
  return {
    seal(content) {
      const [key] = derived;
      if (!key || content.length !== shortContentBytes) throw new Error(`Seal ${shortContentBytes} bytes`);
      const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
      const block = Buffer.concat([content, Buffer.alloc(checkBytes)]);
      return Buffer.concat([cipher.update(block), cipher.final()]).toString('base64url');
    },
    open(text) {
      if (!shortSealPattern.test(text)) return undefined;
      const sealed = Buffer.from(text, 'base64url');
      // The last character has bits to spare: only the way in which it is written here is the address.
      if (sealed.length !== blockBytes || sealed.toString('base64url') !== text) return undefined;
      for (const key of derived) {
        const decipher = createDecipheriv('aes-256-ecb', key, null).setAutoPadding(false);
        const block = Buffer.concat([decipher.update(sealed), decipher.final()]);
        if (block.subarray(shortContentBytes).every((byte) => byte === 0)) return block.subarray(0, shortContentBytes);
      }
      return undefined;
    },
  };
}
