import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpoints } from '#contracts/index.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { makeProject, signUpSubscriber } from './support/customer.ts';

let app: TestApplication;
let headers: Record<string, string>;

beforeAll(async () => {
  app = await startTestApplication();
  const caller = await signUpSubscriber(app.url);
  const project = await makeProject(caller);
  headers = { authorization: caller.token, 'x-auth-key': project.auth_key };
});
afterAll(() => app[Symbol.asyncDispose]());

const named = endpoints.filter(({ path }) => path.includes('{'));

test.each(['%00', '1%00', 'media_a%00', '%ED%A0%80'])(
  'an address that holds %s is nothing that exists, at every endpoint',
  async (value) => {
    const answers = await Promise.all(
      named.map(async ({ method, path }) => {
        const url = app.url + path.replaceAll(/\{\w+\}/g, value);
        const hasBody = method !== 'GET' && method !== 'DELETE';
        const json = { headers: { ...headers, 'content-type': 'application/json' }, body: '{}' };
        const response = await fetch(url, { method, headers, ...(hasBody && json) });
        await response.body?.cancel();
        return `${method} ${path} → ${response.status}`;
      }),
    );
    expect(answers.filter((answer) => /→ [25]/.test(answer))).toEqual([]);
  },
);

test('the name of an uploaded file that holds NUL is refused, not a fault', async () => {
  const body =
    '--x\r\ncontent-disposition: form-data; name="file"; filename="a\0b.txt"\r\ncontent-type: text/plain\r\n\r\nHi\r\n--x--\r\n';
  const form = { ...headers, 'content-type': 'multipart/form-data; boundary=x' };
  const bare = await fetch(`${app.url}/api/media`, { method: 'POST', headers: form, body });
  expect(bare.status).toBeLessThan(500);
  const csv = { ...headers, 'content-type': 'text/csv' };
  for (const path of ['/api/profiles/import', '/api/suppressions/import']) {
    const answer = await fetch(app.url + path, {
      method: 'POST',
      headers: csv,
      body: 'phone,na\0me\n14155550132,a\0b\n',
    });
    expect(answer.status, path).toBeLessThan(500);
  }
});
