import { setTimeout as delay } from 'node:timers/promises';
import { getProfileImport, runProfileImport } from '#contracts/profile-imports.ts';
import type { ProfileImport } from '#contracts/profile-imports.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import type { Product } from '#tests/support/product.ts';
import type { Bench } from './bench.ts';
import { cpuTimeMs } from './cpu-time.ts';
import { figure } from './figures.ts';
import type { Figure, Pair } from './figures.ts';

const rows = 20_000;
const rounds = 4;

/**
 * An import that updates everybody of a file, beside one set merge of the same values into the same profiles in a table
 * with the same indexes. In processor time, which includes the product's and, of each, the indexes' upkeep.
 */
export async function benchImportUpdates({ database, start }: Bench): Promise<Figure[]> {
  await using product = await start({});
  const customer = await signUpSubscriber(product.url);
  const cpuOf = async (work: () => Promise<unknown>): Promise<number> => {
    const before = await cpuTimeMs(product.pid, database);
    await work();
    return ((await cpuTimeMs(product.pid, database)) - before) / 1000;
  };
  await runImport(customer, await upload(customer, product, fileOf(0)));
  // Vacuum and the indexes' lists of what is pending are not to be met in the other one's turn.
  await database.query('create table bench_profiles (like profiles including all)');
  const tables = ['profiles', 'bench_profiles'];
  for (const table of tables) await database.query(`alter table ${table} set (autovacuum_enabled = off)`);
  await database.query('insert into bench_profiles overriding system value select * from profiles');
  await database.query(
    'create table bench_rows (phone text primary key, name text, email text, custom_fields jsonb not null)',
  );
  const [imports, whole]: [Pair[], Pair[]] = [[], []];
  for (let round = 1; round <= rounds; round += 1) {
    for (const table of tables) await database.query(`vacuum analyze ${table}`);
    const values = Array.from({ length: rows }, (_, n) => person(n, round));
    await database.query('truncate bench_rows');
    await database.query(
      `insert into bench_rows select * from jsonb_to_recordset($1::jsonb)
         as x (phone text, name text, email text, custom_fields jsonb)`,
      [
        JSON.stringify(
          values.map(({ phone, name, email, ...fields }) => ({ phone, name, email, custom_fields: fields })),
        ),
      ],
    );
    await database.query('analyze bench_rows');
    const merged = await cpuOf(() =>
      database.query(
        `merge into bench_profiles p using bench_rows r on p.account_id = $1 and p.phone = r.phone
           when matched then update set name = r.name, email = r.email, updated_at = now(),
                custom_fields = coalesce(p.custom_fields, '{}') || r.custom_fields`,
        [customer.id],
      ),
    );
    let importId = 0;
    const uploading = await cpuOf(async () => (importId = await upload(customer, product, fileOf(round))));
    const importing = await cpuOf(() => runImport(customer, importId));
    // The first pair warms up.
    if (round === 1) continue;
    imports.push({ product: rows / importing, baseline: rows / merged });
    whole.push({ product: rows / (uploading + importing), baseline: rows / merged });
  }
  return [
    figure(`import that updates ${rows}, against one set merge, CPU`, imports, '0.4'),
    figure('the same with its upload', whole, '-'),
  ];
}

/** Nobody stays as they were in the round before. */
const person = (n: number, round: number) => ({
  phone: String(14_162_000_000 + n),
  name: `Person ${n * 7919}`,
  email: `person${n}@example.com`,
  plan: (n + round) % 3 === 0 ? 'pro' : 'free',
  city: `City ${n % 100}`,
  visits: String((n % 500) + round),
});

function fileOf(round: number): string {
  const lines = Array.from({ length: rows }, (_, n) => Object.values(person(n, round)).join(','));
  return [Object.keys(person(0, round)).join(','), ...lines, ''].join('\n');
}

async function upload(customer: Customer, product: Product, body: string): Promise<number> {
  const response = await fetch(`${product.url}/api/profiles/import`, {
    method: 'POST',
    headers: { authorization: customer.token, 'content-type': 'text/csv' },
    body,
  });
  return ((await response.json()) as ProfileImport).id;
}

async function runImport(customer: Customer, importId: number): Promise<void> {
  const params = { importId };
  await customer.api.call(runProfileImport, { params, body: {} });
  for (;;) {
    const { body } = await customer.api.call(getProfileImport, { params });
    if (body.status === 'completed') {
      if (body.counts.new + body.counts.updated !== rows) throw new Error(JSON.stringify(body));
      return;
    }
    await delay(100);
  }
}
