import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Endpoint } from '#contracts/endpoint.ts';
import { endpoints } from '#contracts/index.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { makeProject, signUpSubscriber } from './support/customer.ts';
import type { Customer } from './support/customer.ts';
import { createTestDatabase } from './support/database.ts';
import type { TestDatabase } from './support/database.ts';
import { makeOneOfEverything, queriesOfPaths } from './support/one-of-everything.ts';
import type { OneOfEverything } from './support/one-of-everything.ts';

let database: TestDatabase;
let app: TestApplication;
let owner: Customer;
let own: OneOfEverything;

beforeAll(async () => {
  database = await createTestDatabase();
  // The product speaks to PostgreSQL itself as it does to a pooler, which is not on every machine.
  const connectionString = database.applicationConnectionString;
  app = await startTestApplication({ connectionString, directConnectionString: connectionString });
  owner = await signUpSubscriber(app.url);
  own = await makeOneOfEverything(app, owner, await makeProject(owner, 'http://127.0.0.1:9/hook'));
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.drop();
});

/** Streams go on, and are no matter of a pooler. */
const isRead = ({ method, callers, path }: Endpoint) =>
  method === 'GET' && callers !== 'anyone' && callers.includes('user') && !path.endsWith('/stream');

test.each(endpoints.filter(isRead).map(({ method, path }) => [`${method} ${path}`, path] as const))(
  '%s answers behind a pooler',
  async (name, path) => {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, param: string) => String(own[param]));
    const response = await fetch(app.url + filled + (queriesOfPaths[name] ?? ''), {
      headers: { authorization: owner.token, 'current-project-id': String(own['projectId']) },
    });
    expect(response.status, await response.text()).toBeLessThan(500);
  },
);
