import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UploadedMedia } from '#contracts/media.ts';
import { sendMessage } from '#contracts/messages.ts';
import type { Problem } from '#contracts/problem.ts';
import { parseConfig } from '#server/config.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { mediaAccessOf } from '../media-access.ts';
import { storeIncoming } from '../store-incoming.ts';

const fixture = (name: string) => readFile(new URL(`../../../../../tests/recordings/${name}`, import.meta.url));

async function owner(app: TestApplication) {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  const phone = await connectSandboxPhone(customer, project.id);
  const headers = { 'x-auth-key': project.auth_key };
  const upload = async (bytes: Buffer, query = '') => {
    const body = new Uint8Array(bytes);
    const response = await fetch(`${app.url}/api/media?${query}`, { method: 'POST', headers, body });
    return { status: response.status, body: (await response.json()) as UploadedMedia & Problem };
  };
  const api = createApiClient(app.url, headers);
  return {
    upload,
    /** Nothing where there is none. */
    thumbnail: async (id: string) => {
      const response = await fetch(`${app.url}/api/media/${id}/thumbnail`, { headers });
      return response.status === 200 ? Buffer.from(await response.arrayBuffer()) : Buffer.alloc(0);
    },
    /** As if it had come with a message. */
    incoming: async (bytes: Buffer) => {
      const path = join(app.ctx.config.dataDir, randomBytes(8).toString('hex'));
      await writeFile(path, bytes);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const about = { accountId: customer.id, projectId: project.id, fileName: null };
      return (await storeIncoming(app.ctx, { path, size: bytes.length, sha256 }, about)).id;
    },
    open: (id: string) => mediaAccessOf(app.ctx, { accountId: customer.id, phoneId: phone.id }).open(id),
    send: (type: 'video' | 'voice' | 'document', id: string) =>
      api.call(sendMessage, { headers: {}, body: { to: '14155550123', type, media: { id } } }),
    refuse: async (type: 'video' | 'voice', id: string) => {
      const body = { to: '14155550123', type, media: { id } };
      return (await api.refuse(sendMessage, { headers: {}, body })).body.errors;
    },
  };
}

describe('without ffmpeg', () => {
  let app: TestApplication;
  beforeAll(async () => {
    app = await startTestApplication({ env: { FFMPEG: 'off' } });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test('files that handsets can play go unchanged, with their duration', async () => {
    const { upload, send, open } = await owner(app);
    for (const [name, type] of [
      ['h264.mp4', 'video'],
      ['mono.ogg', 'voice'],
    ] as const) {
      const bytes = await fixture(name);
      const { body } = await upload(bytes, `type=${type}`);
      expect(body.size).toBe(bytes.length);
      expect((await send(type, body.id)).body).toMatchObject({ status: 'sent', media: { has_thumbnail: false } });
      const opened = await open(body.id);
      opened.bytes.destroy();
      expect(opened.durationMs).toBeGreaterThan(100);
      expect([opened.waveform, opened.thumbnail]).toEqual([null, null]);
    }
  });

  test('a film that they do not play is refused with what to do, and goes as a document', async () => {
    const { upload, send, refuse } = await owner(app);
    const hevc = await fixture('hevc.mp4');
    const words = expect.stringMatching(/H\.264 and AAC in MP4: convert the file first/) as string;
    expect(await upload(hevc, 'type=video')).toMatchObject({ status: 422, body: { message: words } });
    const { body } = await upload(hevc);
    expect(await refuse('video', body.id)).toEqual([{ path: 'media.id', message: words }]);
    expect((await send('document', body.id)).body.status).toBe('sent');
  });

  test.for<[string, string]>([
    ['stereo.ogg', 'type=voice'],
    ['tone.wav', ''],
    ['tone.wav', 'type=voice'],
  ])('%s with %s is refused with what to do', async ([name, query]) => {
    const { upload } = await owner(app);
    const words = expect.stringMatching(/Ogg with Opus on one channel.*convert the file first/) as string;
    expect(await upload(await fixture(name), query)).toMatchObject({ status: 422, body: { message: words } });
  });

  test('a sound on two channels is no voice note', async () => {
    const { upload, refuse } = await owner(app);
    const { body } = await upload(await fixture('stereo.ogg'));
    const message = expect.stringContaining('upload the file with type=voice') as string;
    expect(await refuse('voice', body.id)).toEqual([{ path: 'media.id', message }]);
  });
});

const { ffmpeg } = parseConfig({ PATH: process.env['PATH'] });

describe.skipIf(ffmpeg === undefined)(ffmpeg ? 'with ffmpeg' : 'with ffmpeg (skipped: there is none on PATH)', () => {
  let app: TestApplication;
  beforeAll(async () => {
    app = await startTestApplication({ env: { FFMPEG: ffmpeg } });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test.for<[string, string, 'video' | 'voice', string]>([
    ['hevc.mp4', '', 'video', 'video/mp4'],
    ['tone.wav', '', 'voice', 'audio/ogg'],
    ['stereo.ogg', 'type=voice', 'voice', 'audio/ogg'],
  ])('%s (%s) is made to fit, and goes as a %s', async ([name, query, type, mimeType]) => {
    const { upload, send } = await owner(app);
    const { body } = await upload(await fixture(name), query);
    expect(body).toMatchObject({ mime_type: mimeType });
    const media = { has_thumbnail: type === 'video' };
    expect((await send(type, body.id)).body).toMatchObject({ status: 'sent', media });
  });

  test('a film goes with its first picture, small; one that came has one as well', async () => {
    const { upload, open, thumbnail, incoming } = await owner(app);
    const film = await fixture('h264.mp4');
    const { body } = await upload(film, 'type=video');
    const opened = await open(body.id);
    opened.bytes.destroy();
    for (const bytes of [
      Buffer.from(opened.thumbnail ?? []),
      await thumbnail(body.id),
      await thumbnail(await incoming(film)),
    ]) {
      const { format, width, height } = await sharp(bytes).metadata();
      expect([format, Math.max(width, height)]).toEqual(['jpeg', 100]);
    }
    const broken = await incoming(film.subarray(0, 900));
    expect(await thumbnail(broken)).toHaveLength(0);
  });

  test('a document stays as it is, byte for byte', async () => {
    const { upload } = await owner(app);
    const hevc = await fixture('hevc.mp4');
    const { body } = await upload(hevc, 'type=document');
    expect(body.size).toBe(hevc.length);
  });

  test('a voice note gets its waveform: 64 volumes, the second half of this one louder', async () => {
    const { upload, open } = await owner(app);
    const { body } = await upload(await fixture('mono.ogg'));
    const { waveform, bytes } = await open(body.id);
    bytes.destroy();
    expect(waveform).toHaveLength(64);
    const loudness = (from: number, to: number) =>
      Array.from(waveform ?? [])
        .slice(from, to)
        .reduce((sum, volume) => sum + volume, 0);
    expect(Math.max(...(waveform ?? []))).toBe(100);
    expect(loudness(36, 60)).toBeGreaterThan(4 * loudness(0, 24));
  });

  test('a broken file is refused as a video, and nothing of it stays', async () => {
    const { upload } = await owner(app);
    const broken = (await fixture('hevc.mp4')).subarray(0, 900);
    expect(await upload(broken, 'type=video')).toMatchObject({ status: 422, body: { code: 'media_not_supported' } });
  });

  test('a film whose pictures are too large for how long it lasts is refused before it is decoded', async () => {
    const { upload } = await owner(app);
    const path = join(app.ctx.config.dataDir, 'large.mp4');
    const source = ['-f', 'lavfi', '-i', 'color=size=4096x2160:rate=1:duration=60'];
    await promisify(execFile)(ffmpeg ?? '', [...source, '-c:v', 'mpeg4', path]);
    const words = expect.stringMatching(/send a shorter or smaller one/) as string;
    expect(await upload(await readFile(path), 'type=video')).toMatchObject({ status: 422, body: { message: words } });
  });
});
