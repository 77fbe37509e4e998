import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sendMessage } from '#contracts/messages.ts';
import type { Message } from '#contracts/messages.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from './support/customer.ts';
import { createTestDatabase } from './support/database.ts';
import { startProduct } from './support/product.ts';
import { clockOffBy } from './support/wrong-clock.ts';

test('a process on a machine whose clock is an hour late writes the same times as the others', async () => {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'dovepost-skewed-'));
  const env = {
    DATA_DIR: dataDir,
    DATABASE_URL: database.connectionString,
    SECRET_KEY: randomBytes(32).toString('base64'),
  };
  const right = await startProduct({ env });
  const late = await startProduct({
    env: { ...env, NODE_OPTIONS: clockOffBy(-3_600_000) },
  });
  try {
    const customer = await signUpSubscriber(right.url);
    const project = await makeProject(customer);
    await connectSandboxPhone(customer, project.id);
    const times: number[] = [];
    for (const { url } of [right, late, right, late]) {
      const response = await fetch(url + sendMessage.path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key ?? '' },
        body: JSON.stringify({ to: '14155550123', message: 'Hello' }),
      });
      expect(response.ok).toBe(true);
      times.push(Date.parse(((await response.json()) as Message).created_at));
    }
    expect(Math.max(...times) - Math.min(...times)).toBeLessThan(600_000);
  } finally {
    await late.stop();
    await right.stop();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
