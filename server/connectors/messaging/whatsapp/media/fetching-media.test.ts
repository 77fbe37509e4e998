import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect } from 'vitest';
import type { proto } from 'baileys';
import type { MediaFetch, WantedMedia } from '#server/connectors/messaging/port.ts';
import { own, test } from '#tests/whatsapp/fixture.ts';
import type { AgainAnswer, DownloadFault, MediaKind } from '#tests/whatsapp/media.ts';
import type { WhatsAppStandIn } from '#tests/whatsapp/stand-in.ts';
import type { TestPhone } from '#tests/whatsapp/test-phone.ts';

const customer = '5511977771234';
const bytes = randomBytes(200_000);
const impatient = { connector: { downloads: { baseMs: 500, bytesPerSecond: 1e6 } } };

type Sent = Partial<Parameters<WhatsAppStandIn['incomingMedia']>[0]>;

/** Sends a file to the phone, which fetches it. */
async function fetchSent(wa: WhatsAppStandIn, phone: TestPhone, sent: Sent = {}): Promise<MediaFetch> {
  const before = phone.incoming.length;
  await wa.incomingMedia({ from: customer, to: own, bytes, ...sent });
  await expect.poll(() => phone.incoming.length).toBe(before + 1);
  const message = phone.incoming[before];
  if (!message || !('media' in message.content)) throw new Error('It carries no file');
  const { type, media } = message.content;
  const wanted: WantedMedia = { ...message, type, ...media, maxBytes: 1_000_000, mayAskAgain: true };
  return phone.session.fetchMedia(wanted);
}

async function read(fetched: MediaFetch): Promise<Buffer> {
  if (fetched.kind !== 'fetched') throw new Error(fetched.reason);
  const content = await readFile(fetched.path);
  await rm(fetched.path);
  return content;
}

test.for<MediaKind>(['image', 'video', 'audio', 'document', 'sticker'])(
  'the very bytes of a file arrive: %s',
  async (type, { wa, linkPhone }) => {
    const phone = await linkPhone();
    const fetched = await fetchSent(wa, phone, { type });
    expect(fetched).toMatchObject({ kind: 'fetched', size: bytes.length });
    expect((await read(fetched)).equals(bytes)).toBe(true);
  },
);

test.for<[string, (message: proto.IMessage) => proto.IMessage]>([
  ['that disappears', (message) => ({ ephemeralMessage: { message } })],
  ['to be seen once', (message) => ({ viewOnceMessageV2: { message } })],
])('a picture %s is fetched', async ([, wrap], { wa, linkPhone }) => {
  const phone = await linkPhone();
  expect((await read(await fetchSent(wa, phone, { wrap }))).equals(bytes)).toBe(true);
});

test.for<[DownloadFault, string, RegExp]>([
  [403, 'failed', /no longer/],
  [404, 'failed', /no longer/],
  [410, 'failed', /no longer/],
  [500, 'later', /HTTP 500/],
  ['cut', 'later', /./],
  ['hang', 'later', /time/],
  ['stalled', 'later', /time/],
  ['endless', 'failed', /more than/],
  ['changed', 'failed', /not the file/],
  ['wrong_mac', 'failed', /not the file/],
])('a download that goes wrong (%s) is %s, and leaves no file', async ([fault, kind, reason], { wa, linkPhone }) => {
  const phone = await linkPhone(impatient);
  wa.media.faults.download = fault;
  wa.media.faults.again = 'not_found';
  expect(await fetchSent(wa, phone)).toEqual({ kind, reason: expect.stringMatching(reason) as string });
  expect((await readdir(tmpdir())).filter((name) => name.startsWith(phone.media.prefix))).toEqual([]);
  wa.media.faults.download = undefined;
  expect((await read(await fetchSent(wa, phone))).equals(bytes)).toBe(true);
});

test.for<[string, object, RegExp]>([
  ['another hash of the content', { fileSha256: randomBytes(32) }, /content/],
  ['another hash of the ciphertext', { fileEncSha256: randomBytes(32) }, /not the file/],
  ['another key, without a hash', { mediaKey: randomBytes(32), fileEncSha256: null }, /MAC/],
  ['another length', { fileLength: 5 }, /length|more than/],
  ['no length at all', { fileLength: 0 }, /length|more than/],
  ['a huge length', { fileLength: 2 ** 40 }, /more than/],
  ['no key', { mediaKey: Buffer.alloc(0) }, /no key/],
  ['a short key', { mediaKey: Buffer.alloc(5, 1) }, /no key/],
  ['no path', { directPath: '' }, /./],
  ['a path elsewhere', { directPath: '//127.0.0.1:9/v/t62/x' }, /./],
  ['an address elsewhere', { directPath: 'http://169.254.169.254/latest' }, /./],
])('a message with %s fails', async ([, change, reason], { wa, linkPhone }) => {
  const phone = await linkPhone(impatient);
  wa.media.faults.again = 'not_found';
  expect(await fetchSent(wa, phone, { change })).toEqual({
    kind: 'failed',
    reason: expect.stringMatching(reason) as string,
  });
});

test.for<[AgainAnswer, string]>([
  ['uploads', 'fetched'],
  ['not_found', 'failed'],
  ['garbage', 'failed'],
])('a handset that is asked for an old file and %s', async ([again, kind], { wa, linkPhone }) => {
  const phone = await linkPhone(impatient);
  wa.media.faults.download = 410;
  wa.media.faults.again = again;
  const fetched = await fetchSent(wa, phone);
  expect(fetched.kind).toBe(kind);
  expect(wa.media.counts.askedAgain).toBe(1);
  if (kind === 'fetched') expect((await read(fetched)).equals(bytes)).toBe(true);
});

test.skipIf(!existsSync('/dev/full')).for([0, 1])(
  'a disk that is full is no fault of the file: it may come later (temporary file %i)',
  async (which, { wa, linkPhone }) => {
    const phone = await linkPhone();
    const { temporaryPath } = phone.media;
    let asked = 0;
    phone.media.temporaryPath = async () => {
      const path = await temporaryPath.call(phone.media);
      if (asked++ === which) await symlink('/dev/full', path);
      return path;
    };
    const fetched = await fetchSent(wa, phone);
    expect(fetched).toEqual({ kind: 'later', reason: expect.stringContaining('ENOSPC') as string });
    expect((await readdir(tmpdir())).filter((name) => name.startsWith(phone.media.prefix))).toEqual([]);
    expect((await read(await fetchSent(wa, phone))).equals(bytes)).toBe(true);
  },
);

test('a phone that is closed gives up what it fetches', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  wa.media.faults.download = 'hang';
  const fetching = fetchSent(wa, phone);
  await expect.poll(() => wa.media.counts.downloads).toBe(1);
  await phone.session.close();
  expect((await fetching).kind).toBe('later');
});
