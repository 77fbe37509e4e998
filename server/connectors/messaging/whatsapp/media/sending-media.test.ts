import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect } from 'vitest';
import type { MediaType } from '#contracts/message-content.ts';
import { own, test } from '#tests/whatsapp/fixture.ts';
import type { UploadFault } from '#tests/whatsapp/media.ts';

const customer = '5511977771234';
const impatient = { connector: { uploads: { idleMs: 200, baseMs: 400, bytesPerSecond: 1e6 } } };

test.for<[MediaType, string, string]>([
  ['image', 'image/jpeg', 'imageMessage'],
  ['video', 'video/mp4', 'videoMessage'],
  ['audio', 'audio/mpeg', 'audioMessage'],
  ['voice', 'audio/ogg', 'audioMessage'],
  ['document', 'application/pdf', 'documentMessage'],
  ['sticker', 'image/webp', 'stickerMessage'],
])('a contact gets the very bytes of a file of type %s', async ([type, mimeType, name], { wa, linkPhone }) => {
  const phone = await linkPhone();
  const bytes = randomBytes(300_001);
  const content = phone.media.content(type, bytes, { mimeType, fileName: 'a.pdf' });
  expect((await phone.deliver({ to: customer, content, quote: null })).kind).toBe('accepted');
  await expect.poll(() => wa.contact(customer).arrivals.length).toBe(1);
  const message = wa.contact(customer).arrivals[0]?.message ?? {};
  expect((await wa.media.open(message)).equals(bytes)).toBe(true);
  const mimetype = type === 'voice' ? 'audio/ogg; codecs=opus' : mimeType;
  expect(message).toMatchObject({ [name]: { mimetype, ...(name === 'audioMessage' && { ptt: type === 'voice' }) } });
  if (type === 'video') expect(message.videoMessage?.seconds).toBe(3);
  if (type === 'voice') {
    const { seconds, waveform } = message.audioMessage ?? {};
    expect([seconds, Buffer.from(waveform ?? []).toString('hex')]).toEqual([3, '0064']);
  }
});

test('a document with a caption is wrapped, as handsets do it, and quotes what it answers', async ({
  wa,
  linkPhone,
}) => {
  const phone = await linkPhone();
  const content = phone.media.content('document', randomBytes(99), { text: 'Nota', fileName: 'Nota 1.pdf' });
  const quote = { network_id: 'ASKED', is_own: false, type: 'text', text: 'A nota?' } as const;
  await phone.deliver({ to: customer, content, quote });
  await expect.poll(() => wa.contact(customer).arrivals.length).toBe(1);
  expect(wa.contact(customer).arrivals[0]?.message).toMatchObject({
    documentWithCaptionMessage: {
      message: { documentMessage: { caption: 'Nota', fileName: 'Nota 1.pdf', contextInfo: { stanzaId: 'ASKED' } } },
    },
  });
});

test('an upload serves many messages, also from a phone opened later', async ({ wa, linkPhone, openPhone }) => {
  const phone = await linkPhone();
  const content = phone.media.content('image', randomBytes(5000));
  const send = (to: string) => phone.deliver({ to, content, quote: null });
  await Promise.all(['5511977770001', '5511977770002', '5511977770003'].map(send));
  await phone.session.close();
  const later = openPhone({ store: phone.store, media: phone.media });
  await later.next('connected');
  await later.deliver({ to: customer, content, quote: null });
  await expect.poll(() => wa.contact(customer).arrivals.length).toBe(1);
  expect(wa.media.counts.uploads).toBe(1);
});

test.for<[string, Partial<Record<0 | 1, UploadFault>>]>([
  ['says nothing', { 0: 'hang' }],
  ['breaks off', { 0: 'drop' }],
  ['names no place', { 0: 'no_url' }],
  ['finds the key too old', { 0: 'expired', 1: 'expired' }],
])('a server that %s is passed over', async ([, uploads], { wa, linkPhone }) => {
  const phone = await linkPhone(impatient);
  wa.media.faults.uploads = uploads;
  const bytes = randomBytes(200_000);
  const content = phone.media.content('image', bytes);
  expect((await phone.deliver({ to: customer, content, quote: null })).kind).toBe('accepted');
  await expect.poll(() => wa.contact(customer).arrivals.length).toBe(1);
  expect((await wa.media.open(wa.contact(customer).arrivals[0]?.message ?? {})).equals(bytes)).toBe(true);
});

test('where no server takes the file the message is held, the next one goes, and no file is left', async ({
  wa,
  linkPhone,
}) => {
  const phone = await linkPhone(impatient);
  wa.media.faults.uploads = { 0: 'hang', 1: 'drop' };
  const content = phone.media.content('image', randomBytes(100));
  const held = phone.deliver({ to: customer, content, quote: null });
  const after = phone.send(customer, 'Hello');
  expect(await held).toMatchObject({ kind: 'held', code: 'media_upload_failed' });
  expect((await after).kind).toBe('accepted');
  wa.media.faults.uploads = {};
  expect((await phone.deliver({ to: customer, content, quote: null })).kind).toBe('accepted');
  expect((await readdir(tmpdir())).filter((name) => name.startsWith(phone.media.prefix))).toEqual([]);
});

test('a file that is gone is a refusal, and nothing is uploaded', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  const content = phone.media.content('image', randomBytes(100));
  phone.media.files.clear();
  expect(await phone.deliver({ to: customer, content, quote: null })).toMatchObject({
    kind: 'refused',
    code: 'media_unavailable',
  });
  expect(wa.media.counts.uploads).toBe(0);
});

test('a picture that a device asks for again is the same upload', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  const bytes = randomBytes(1000);
  const networkId = phone.newId();
  await phone.deliver({ to: customer, content: phone.media.content('image', bytes), quote: null }, networkId);
  await expect.poll(() => wa.contact(customer).arrivals.length).toBe(1);
  wa.askAgain(customer, own, networkId);
  await expect.poll(() => wa.contact(customer).arrivals.length).toBe(2);
  const again = wa.contact(customer).arrivals[1]?.message ?? {};
  expect(
    createHash('sha256')
      .update(await wa.media.open(again))
      .digest(),
  ).toEqual(createHash('sha256').update(bytes).digest());
  expect(wa.media.counts.uploads).toBe(1);
});
