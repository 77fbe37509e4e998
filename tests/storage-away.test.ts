import { expect, onTestFinished, test } from 'vitest';
import { removeExpiredMedia } from '#server/modules/messaging/media/index.ts';
import { startTestApplication } from './support/application.ts';
import { makeProject, signUpSubscriber } from './support/customer.ts';
import { startS3StandIn } from './support/s3-stand-in.ts';

const account = { bucket: 'media', region: 'us-east-1', accessKeyId: 'OURS', secretAccessKey: 'our-secret-key' };

async function startWithStorage() {
  const storage = await startS3StandIn(account);
  onTestFinished(storage.stop);
  const app = await startTestApplication({
    env: {
      S3_ENDPOINT: storage.endpoint,
      S3_BUCKET: account.bucket,
      S3_ACCESS_KEY_ID: account.accessKeyId,
      S3_SECRET_ACCESS_KEY: account.secretAccessKey,
    },
  });
  onTestFinished(() => app[Symbol.asyncDispose]());
  const customer = await signUpSubscriber(app.url);
  const headers = { 'x-auth-key': (await makeProject(customer)).auth_key };
  const upload = async () => {
    const answer = await fetch(`${app.url}/api/media?type=document`, { method: 'POST', headers, body: 'Hello' });
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: await answer.json() };
  };
  return { storage, app, customer, headers, upload };
}

test('while the storage of files is away, uploads and downloads say so with 503, and it is used again once it is back', async () => {
  const { storage, app, headers, upload } = await startWithStorage();
  const stored = await upload();
  expect(stored.status).toBe(201);

  storage.failNext(1_000);
  const away = { status: 503, retryAfter: '5', body: { code: 'storage_unavailable' } };
  expect(await upload()).toMatchObject(away);
  const download = await fetch(`${app.url}/api/media/${(stored.body as { id: string }).id}`, { headers });
  expect([download.status, await download.json()]).toMatchObject([503, { code: 'storage_unavailable' }]);

  storage.failNext(0);
  expect((await upload()).status).toBe(201);
});

test('a file that the storage has, though it said otherwise, is removed from it, and nothing is left of the upload', async () => {
  const { storage, app, customer, upload } = await startWithStorage();
  expect((await upload()).status).toBe(201);
  const [kept] = storage.objects.keys();
  storage.loseAnswers(3);
  expect(await upload()).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } });
  expect(storage.objects.size).toBe(2);
  await removeExpiredMedia(app.ctx);
  expect([...storage.objects.keys()]).toEqual([kept]);
  const rows = app.ctx.db.selectFrom('media_files').select('state').where('account_id', '=', customer.id);
  expect(await rows.execute()).toEqual([{ state: 'stored' }]);
});
