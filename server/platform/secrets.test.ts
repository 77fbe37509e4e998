import { createCipheriv, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createSecretBox, createToken, hashToken, tokenKind } from './secrets.ts';

describe('tokens', () => {
  test('say what they are and differ each time', () => {
    const token = createToken('authKey');
    expect(token).toMatch(/^dpa_[0-9A-Za-z]{49}$/);
    expect(tokenKind(token)).toBe('authKey');
    expect(createToken('authKey')).not.toBe(token);
    expect(hashToken(token)).toHaveLength(32);
  });

  test('a mistyped one is known without asking anyone', () => {
    const token = createToken('session');
    const other = token.charAt(10) === 'x' ? 'y' : 'x';
    expect(tokenKind(token.slice(0, 10) + other + token.slice(11))).toBeUndefined();
    expect(tokenKind(token.slice(0, -1))).toBeUndefined();
    expect(tokenKind('')).toBeUndefined();
  });
});

describe('the secret box', () => {
  const box = createSecretBox(randomBytes(32));

  test('opens what it sealed, never the same bytes twice', () => {
    const sealed = box.seal('naïve ☂ text', 'project:1:auth_key');
    expect(box.open(sealed, 'project:1:auth_key')).toBe('naïve ☂ text');
    expect(box.seal('naïve ☂ text', 'project:1:auth_key')).not.toEqual(sealed);
  });

  test('opens with an old key of the ring, and seals with the current one', () => {
    const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
    const sealed = createSecretBox(oldKey).seal('secret', 'row');
    const ring = createSecretBox(newKey, [oldKey]);
    expect(ring.open(sealed, 'row')).toBe('secret');
    const resealed = ring.reseal(sealed, 'row') ?? Buffer.alloc(0);
    expect(createSecretBox(newKey).open(resealed, 'row')).toBe('secret');
    expect(ring.reseal(resealed, 'row')).toBeUndefined();
    expect(() => createSecretBox(oldKey).open(resealed, 'row')).toThrow('No key of the ring');
  });

  test('opens the first format, which names no key, with whichever fits, and moves it on', () => {
    const key = randomBytes(32);
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from('row'));
    const body = Buffer.concat([cipher.update('secret', 'utf8'), cipher.final()]);
    const sealed = Buffer.concat([Buffer.from([1]), nonce, cipher.getAuthTag(), body]);
    const ring = createSecretBox(randomBytes(32), [randomBytes(32), key]);
    expect(ring.open(sealed, 'row')).toBe('secret');
    expect(() => ring.open(sealed, 'another row')).toThrow();
    expect(ring.reseal(sealed, 'row')?.[0]).toBe(2);
  });

  test('refuses another row, another key and a changed byte', () => {
    const sealed = box.seal('secret', 'project:1:auth_key');
    expect(() => box.open(sealed, 'project:2:auth_key')).toThrow();
    expect(() => createSecretBox(randomBytes(32)).open(sealed, 'project:1:auth_key')).toThrow();
    const changed = Buffer.from(sealed);
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    expect(() => box.open(changed, 'project:1:auth_key')).toThrow();
  });
});
