import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startTestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';

const hasPython = (process.env['PATH'] ?? '').split(delimiter).some((place) => existsSync(join(place, 'python3')));

test('an integrator’s first day in Python, by the documentation alone', async ({ skip }) => {
  skip(!hasPython, 'There is no python3 on this machine');
  await using app = await startTestApplication();
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  await connectSandboxPhone(customer, project.id);
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    DOVEPOST_URL: app.url,
    DOVEPOST_AUTH_KEY: project.auth_key,
    DOVEPOST_API_KEY: customer.apiKey,
  };
  const trial = join(import.meta.dirname, 'programs/trial.py');
  const { stdout } = await promisify(execFile)('python3', [trial], { env });
  expect(stdout.trim().split('\n').at(-1)).toBe('done');
});
