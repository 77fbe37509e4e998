import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { SegmentCondition } from '#contracts/conditions.ts';
import type { Endpoint, EndpointCall } from '#contracts/endpoint.ts';
import { getProfileImport, runProfileImport } from '#contracts/profile-imports.ts';
import type { ProfileImport } from '#contracts/profile-imports.ts';
import { listProfiles } from '#contracts/profiles.ts';
import { createSegment, listSegmentMembers, previewSegmentCount } from '#contracts/segments.ts';
import type { AccountContext } from '#server/context.ts';
import { profileListRoutes } from '#server/modules/audience/lists/index.ts';
import { profileRoutes } from '#server/modules/audience/profiles/index.ts';
import { segmentRoutes } from '#server/modules/audience/segments/index.ts';
import { systemClock } from '#server/platform/clock.ts';
import { startEmbeddedPostgres } from '#server/platform/db/embedded/embedded-postgres.ts';
import { createLogger } from '#server/platform/logger.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { startProduct } from '#tests/support/product.ts';
import type { Product } from '#tests/support/product.ts';
import { bySocket, openSeedingPool } from './bench.ts';
import { median } from './measure.ts';
import { makeMillionProfiles } from './million-profiles.ts';
import { watchDatabase } from './query-plans.ts';

type Figure = { what: string; figure: string; baseline: string; ratio: string; bound: string; indexes: string };

const repetitions = 15;
const importedRows = 200_000;

const milliseconds = (ms: number) => `${ms.toFixed(ms < 10 ? 2 : 0)} ms`;
const perSecond = (rate: number) => `${Math.round(rate)} rows/s`;

/** Segments, lists and searches over a million profiles, and imports. A plan without its index ends the run as failed. */
export async function benchProfiles(): Promise<Figure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'dovepost-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir, logger: createLogger('silent') });
  const connectionString = bySocket(postgres);
  const database = openSeedingPool(connectionString);
  try {
    const product = await startProduct({
      env: { DATABASE_URL: connectionString, DATA_DIR: dataDir, SECRET_KEY: randomBytes(32).toString('base64') },
    });
    try {
      const customer = await signUpSubscriber(product.url);
      await makeMillionProfiles(database, customer.id);
      const questions = await benchQuestions(database, customer);
      return [...questions, ...(await benchImport(database, product, dataDir))];
    } finally {
      await product.stop();
    }
  } finally {
    await database.end();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function benchQuestions(database: pg.Pool, customer: Customer): Promise<Figure[]> {
  const watched = watchDatabase(database);
  const account = { id: customer.id, timezone: 'UTC' };
  const ctx = { db: watched.db, reads: 'admitted', clock: systemClock, account } as AccountContext;
  const routes = [...profileRoutes, ...profileListRoutes, ...segmentRoutes];
  const figures: Figure[] = [];

  async function measure<E extends Endpoint>(
    what: string,
    { endpoint, call, index, bound = '-' }: { endpoint: E; call: EndpointCall<E>; index: string; bound?: string },
  ): Promise<void> {
    const route = routes.find((each) => each.endpoint === endpoint);
    if (!route) throw new Error(`${endpoint.path} is not mounted`);
    const times: number[] = [];
    for (let repetition = 0; repetition <= repetitions; repetition += 1) {
      const started = performance.now();
      await route.handle(ctx, call, undefined as never);
      // The first fills the caches.
      if (repetition > 0) times.push(performance.now() - started);
    }
    const indexes = await watched.indexesUsed();
    if (index !== '-' && (!indexes.includes(index) || indexes.includes('seq scan'))) {
      process.exitCode = 1;
      indexes.push(`EXPECTED ${index}`);
    }
    figures.push({
      what,
      figure: milliseconds(median(times)),
      baseline: '-',
      ratio: '-',
      bound,
      indexes: indexes.join(', '),
    });
  }

  const custom = 'profiles_by_fields';
  const equals = (path: string, value: string): SegmentCondition => ({ fieldPath: path, operator: 'equals', value });
  const count = (what: string, condition: SegmentCondition, index: string, bound?: string) =>
    measure(what, { endpoint: previewSegmentCount, call: { body: { condition } }, index, ...(bound && { bound }) });
  await count('segment count, equals, 0.1 %', equals('custom_fields.rare', 'yes'), custom, 'under 5 ms');
  await count('segment count, equals, 10 %', equals('custom_fields.installed', 'true'), custom);
  await count('segment count, equals, no match', equals('custom_fields.rare', 'maybe'), custom, 'no scan');
  await count(
    'segment count, email equals',
    equals('email', 'person77@example.com'),
    'profiles_by_email',
    'under 5 ms',
  );
  await count('segment count, status equals, no match', equals('status', 'gone'), 'profiles_by_status', 'no scan');
  const rare = equals('custom_fields.rare', 'yes');
  await count('segment count, not equals, 99.9 %', { ...rare, operator: 'not_equals' }, custom);
  await count('segment count, exists', { ...rare, operator: 'exists' }, 'profile_fields_pkey');

  async function members(what: string, condition: SegmentCondition, offset: number, index: string): Promise<void> {
    const { body: segment } = await customer.api.call(createSegment, { body: { name: what, condition } });
    const params = { segmentId: segment.id };
    const call = { params, query: { limit: 50, offset } };
    await measure(what, { endpoint: listSegmentMembers, call, index });
  }
  await members('members, 0.1 %, first page', rare, 0, custom);
  await members('members, 10 %, first page', equals('custom_fields.installed', 'true'), 0, custom);
  await members('members, 0.1 %, last page', rare, 950, custom);
  await members('members, not equals, first page', { ...rare, operator: 'not_equals' }, 0, 'profiles_pkey');

  const list = (what: string, query: EndpointCall<typeof listProfiles>['query'], index: string) =>
    measure(what, { endpoint: listProfiles, call: { query: { page: 1, pageSize: 50, sort: 'id', ...query } }, index });
  await list('list, first page', {}, 'profiles_pkey');
  await list('list by name, page 100', { sort: 'name', page: 100 }, 'profiles_by_name');
  await list('search by a name, one match', { search: 'ada 7f' }, 'profiles_by_text');
  await list('search by a name, 12.5 %', { search: 'edsger' }, 'profiles_by_text');
  await list('search by a phone prefix, 100 matches', { search: '+141500123' }, 'profiles_by_phone');
  await list('search by digits within the phone', { search: '099123' }, 'profiles_by_text');
  return figures;
}

async function benchImport(database: pg.Pool, product: Product, directory: string): Promise<Figure[]> {
  const file = join(directory, 'people.csv');
  await pipeline(Readable.from(peopleCsv()), createWriteStream(file));
  const customer = await signUpSubscriber(product.url);
  const idleMiB = await product.memoryMiB();
  const first = await importFile(customer, product, file);
  const again = await importFile(customer, product, file);
  const copied = await copyRows(database, directory);
  const figure = (what: string, rate: number): Figure => ({
    what,
    figure: perSecond(rate),
    baseline: `${perSecond(copied)} by COPY`,
    ratio: (rate / copied).toFixed(2),
    bound: '-',
    indexes: '-',
  });
  const memory = `${first.peakMiB.toFixed(0)} MiB, idle ${idleMiB.toFixed(0)} MiB`;
  return [
    figure(`upload of ${importedRows} rows`, importedRows / first.uploadSeconds),
    figure(`import of ${importedRows} rows`, importedRows / first.importSeconds),
    figure('import of the same file again', importedRows / again.importSeconds),
    { what: 'memory of the process, import', figure: memory, baseline: '-', ratio: '-', bound: '-', indexes: '-' },
  ];
}

const person = (n: number) => ({
  phone: String(14_160_000_000 + n),
  name: `Person ${n * 7919}`,
  email: `person${n}@example.com`,
  plan: n % 3 === 0 ? 'pro' : 'free',
  city: `City ${n % 100}`,
  visits: String(n % 500),
});

function* peopleCsv(): Generator<string> {
  yield `${Object.keys(person(0)).join(',')}\n`;
  for (let n = 0; n < importedRows; n += 1) yield `${Object.values(person(n)).join(',')}\n`;
}

async function importFile(customer: Customer, product: Product, file: string) {
  const started = performance.now();
  const response = await fetch(`${product.url}/api/profiles/import`, {
    method: 'POST',
    headers: { authorization: customer.token, 'content-type': 'text/csv' },
    body: Readable.toWeb(createReadStream(file)),
    duplex: 'half',
  });
  const { id } = (await response.json()) as ProfileImport;
  const uploaded = performance.now();
  const params = { importId: id };
  await customer.api.call(runProfileImport, { params, body: {} });
  let peakMiB = 0;
  for (;;) {
    peakMiB = Math.max(peakMiB, await product.memoryMiB());
    const { body } = await customer.api.call(getProfileImport, { params });
    if (body.status !== 'importing') {
      if (body.processed_rows !== importedRows || body.counts.invalid > 0) throw new Error(JSON.stringify(body));
      break;
    }
    await delay(50);
  }
  const ended = performance.now();
  return { uploadSeconds: (uploaded - started) / 1000, importSeconds: (ended - uploaded) / 1000, peakMiB };
}

/** COPY of the same rows into a table with the same indexes: nothing is read, compared, reported or catalogued. */
async function copyRows(database: pg.Pool, directory: string): Promise<number> {
  const file = join(directory, 'stored.csv');
  await pipeline(Readable.from(storedCsv()), createWriteStream(file));
  // The database's own user reads it.
  await chmod(directory, 0o755);
  await chmod(file, 0o644);
  await database.query('create table bench_profiles (like profiles including all)');
  const started = performance.now();
  await database.query(`copy bench_profiles (account_id, phone, phone_given, country_code, calling_code, national_number,
    phone_is_valid, name, email, custom_fields, status, created_at, updated_at) from '${file}' with (format csv)`);
  return importedRows / ((performance.now() - started) / 1000);
}

function* storedCsv(): Generator<string> {
  const at = new Date().toISOString();
  for (let n = 0; n < importedRows; n += 1) {
    const { phone, name, email, ...fields } = person(n);
    const custom = JSON.stringify(fields).replaceAll('"', '""');
    yield `1,${phone},${phone},US,1,${phone.slice(1)},true,${name},${email},"${custom}",active,${at},${at}\n`;
  }
}
