import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { getAccountExport, startAccountExport } from '#contracts/account-data.ts';
import { archiveFaults } from '#tests/support/archive-faults.ts';
import { insertProfiles } from '#tests/support/audience.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer, OwnProject } from '#tests/support/customer.ts';
import { makeManyConversations } from '#tests/support/many-of-everything.ts';
import type { Product } from '#tests/support/product.ts';
import type { Bench } from './bench.ts';
import { alone } from './figures.ts';
import type { Figure } from './figures.ts';
import { eventually } from './whatsapp.ts';

const sizes = [10_000, 100_000] as const;
const files = 64;
const fileBytes = 1024 ** 2;
const mostGrowthMiB = 160;
/** As it comes, Node lets garbage pile up; what needs more than this ends the process. */
const heapMiB = 128;
const samplesEveryMs = 25;

/** Texts with all that a CSV or a line of JSON has to quote, and with signs beyond the first plane. */
async function makeMessages(database: pg.Pool, accountId: number, projectId: number, count: number): Promise<void> {
  const others = count - Math.round(count / 10);
  await insertProfiles(database, accountId, count - others);
  await makeManyConversations(database, { accountId, projectId });
  await database.query(
    `insert into messages (account_id, project_id, direction, recipient, body, status, created_at, sent_at, source)
     select $1, $2, 'outgoing', (14155550000 + n % 9000)::text,
            'Line ' || n || E'\\r\\n"quoted", 🛍️ مرحبا ' || repeat(md5(n::text), 1 + n % 8), 'delivered', now(), now(), 'api'
       from generate_series(1, $3::int) n`,
    [accountId, projectId, others],
  );
}

async function upload(url: string, { auth_key: key }: OwnProject): Promise<void> {
  const response = await fetch(`${url}/api/media?file_name=a.pdf`, {
    method: 'POST',
    headers: { 'x-auth-key': key, 'content-type': 'application/octet-stream' },
    body: Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(fileBytes)]),
  });
  if (response.status !== 201) throw new Error(`An upload was answered with ${response.status}`);
}

/** The most memory while `work` goes on, looked at over and over. */
async function peakOf<T>(product: Product, work: () => Promise<T>): Promise<{ peakMiB: number; result: T }> {
  let peakMiB = await product.memoryMiB();
  const timer = setInterval(() => {
    void product.memoryMiB().then((memoryMiB) => (peakMiB = Math.max(peakMiB, memoryMiB)));
  }, samplesEveryMs);
  try {
    return { result: await work(), peakMiB };
  } finally {
    clearInterval(timer);
  }
}

async function make({ api }: Customer): Promise<{ url: string; size: number }> {
  const { body: started } = await api.call(startAccountExport);
  const params = { exportId: started.id };
  return eventually(async () => {
    const { status, url, size, error } = (await api.call(getAccountExport, { params })).body;
    if (error !== null) throw new Error(error);
    return status === 'completed' && url !== null && size !== null ? { url, size } : undefined;
  });
}

/** Breaks off in the middle and goes on from there, as a browser does. */
async function download(url: string, size: number, path: string): Promise<void> {
  const first = await fetch(url);
  const etag = first.headers.get('etag') ?? '';
  let have = 0;
  async function* half(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const part of parts) {
      have += part.length;
      yield part;
      if (have > size / 2) return;
    }
  }
  if (!first.body) throw new Error('The archive has no body');
  await pipeline(first.body, half, createWriteStream(path));
  const rest = await fetch(url, { headers: { range: `bytes=${have}-`, 'if-range': etag } });
  if (rest.status !== 206 || !rest.body) throw new Error(`The rest was answered with ${rest.status}`);
  await pipeline(Readable.fromWeb(rest.body as never), createWriteStream(path, { flags: 'a' }));
  const { size: written } = await stat(path);
  if (written !== size) throw new Error(`The archive has ${size} bytes, and ${written} came`);
}

/** An account's archive: how much memory the process takes to make it, and whether it holds all that the database has. */
export async function benchArchive(bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const count of sizes) {
    await using product = await bench.start({ NODE_OPTIONS: `--max-old-space-size=${heapMiB}` });
    const customer = await signUpSubscriber(product.url);
    const project = await makeProject(customer);
    await makeMessages(bench.database, customer.id, project.id, count);
    await bench.database.query('analyze messages');
    for (let file = 0; file < files; file += 1) await upload(product.url, project);
    const beforeMiB = await product.memoryMiB();
    const started = performance.now();
    const { result, peakMiB } = await peakOf(product, () => make(customer));
    const seconds = (performance.now() - started) / 1000;
    const directory = await mkdtemp(join(tmpdir(), 'dovepost-archive-'));
    try {
      const path = join(directory, 'archive.zip');
      const downloading = await peakOf(product, () =>
        download(product.url + new URL(result.url).pathname, result.size, path),
      );
      const faults = await archiveFaults(bench.database, { accountId: customer.id, path });
      if (faults.length > 0) throw new Error(faults.join('\n'));
      const most = Math.max(peakMiB, downloading.peakMiB);
      if (most - beforeMiB > mostGrowthMiB) process.exitCode = 1;
      figures.push(
        alone(
          `an archive of ${count} messages and ${files} files of 1 MiB, read again whole`,
          `${beforeMiB.toFixed(0)} → ${peakMiB.toFixed(0)} MiB, ${downloading.peakMiB.toFixed(0)} while it is downloaded`,
          `at most ${mostGrowthMiB} MiB more, whatever it holds`,
          `${seconds.toFixed(1)} s, ${(result.size / 1024 ** 2).toFixed(0)} MiB`,
        ),
      );
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }
  return figures;
}
