import { Agent, request } from 'undici';
import { expect } from 'vitest';
import { register } from '#contracts/accounts.ts';
import { uploadMedia } from '#contracts/media.ts';
import { clockOffBy } from '#tests/support/wrong-clock.ts';
import type { Worker } from './cluster.ts';
import { forAMoment, othersProgress, restartWith, workerOf } from './step.ts';
import type { Step } from './step.ts';
import type { Party } from './storm-scene.ts';

const minuteMs = 60_000;

async function upload({ product }: Worker, { authKey }: Party): Promise<{ status: number; code?: string }> {
  const response = await fetch(`${product.url}${uploadMedia.path}?type=document`, {
    method: uploadMedia.method,
    headers: { 'x-auth-key': authKey },
    body: 'Hello',
  });
  const { code } = (await response.json()) as { code?: string };
  return { status: response.status, ...(code !== undefined && { code }) };
}

/** From an address of its own, as strangers sign up. */
async function signUp({ product }: Worker, email: string, localAddress: string): Promise<void> {
  const dispatcher = new Agent({ localAddress });
  const { statusCode, body } = await request(product.url + register.path, {
    dispatcher,
    method: register.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Ada Lovelace', email, password: 'correct horse battery', timezone: 'UTC' }),
  });
  expect([statusCode, await body.text()]).toEqual([201, expect.any(String)]);
  await dispatcher.close();
}

/** The services that the product needs beside its database are away, wrong or cut off. */
export const serviceSteps: Readonly<Record<string, Step>> = {
  'the storage of files is away': {
    async run(scene, random) {
      const worker = workerOf(scene, random);
      scene.storage.failNext(Number.MAX_SAFE_INTEGER);
      expect(await upload(worker, scene.abuser)).toEqual({ status: 503, code: 'storage_unavailable' });
      await othersProgress(scene);
      scene.storage.failNext(0);
      expect(await upload(worker, scene.abuser)).toEqual({ status: 201 });
    },
  },
  'the mail server is away': {
    async run(scene, random) {
      await scene.mail.goAway();
      const email = `ada-${scene.newcomers.length}@example.com`;
      await signUp(workerOf(scene, random), email, `127.1.${random.below(256)}.${1 + random.below(254)}`);
      scene.newcomers.push(email);
      await othersProgress(scene);
      await scene.mail.comeBack();
    },
  },
  "a worker's clock is wrong": {
    async run(scene, random) {
      const ms = random.pick([-10, -1, 1, 10]) * minuteMs;
      const env = { NODE_OPTIONS: clockOffBy(ms) };
      await restartWith(scene, workerOf(scene, random), { env });
      return `${ms / minuteMs} min`;
    },
  },
  'a worker is cut off from WhatsApp': {
    async run(scene, random) {
      const worker = workerOf(scene, random);
      return forAMoment(scene, worker, async (wait) => {
        worker.toWhatsApp.fallSilent();
        const isCutShort = await wait();
        worker.toWhatsApp.cut();
        worker.toWhatsApp.recover();
        return isCutShort;
      });
    },
  },
};
