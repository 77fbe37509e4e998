import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { test } from 'vitest';
import { connectSandboxPhone, makeProject, signUpSubscriber } from './support/customer.ts';
import { databaseProcesses, superuserConnection } from './support/embedded-processes.ts';
import { startProduct } from './support/product.ts';

test('ten', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'dovepost-ten-'));
  const product = await startProduct({ env: { DATA_DIR: dataDir, LOG_LEVEL: 'info' } });
  try {
    const customer = await signUpSubscriber(product.url);
    const project = await makeProject(customer, 'http://127.0.0.1:9/nobody');
    await connectSandboxPhone(customer, project.id, { max_daily_messages: 1_000_000 });
    const ok: number[] = [];
    const bad: Record<string, number> = {};
    let stop = false;
    const callers = Array.from({ length: 4 }, async () => {
      while (!stop) {
        const started = performance.now();
        const r = await fetch(`${product.url}/api/send-message`, { method: 'POST', headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key }, body: JSON.stringify({ to: '34613300106', message: 'x' }) }).catch(() => undefined);
        const text = await r?.text();
        if (r?.status === 200) ok.push(performance.now());
        else { const k = `${r?.status} ${text?.slice(0, 60)}`; bad[k] = (bad[k] ?? 0) + 1; if (performance.now() - started > 2000) console.log('slow', r?.status, Math.round(performance.now() - started)); }
        if (r?.status !== 200) await delay(20);
      }
    });
    const q = async () => {
      const client = new pg.Client({ connectionString: await superuserConnection(dataDir) });
      client.on('error', () => undefined);
      await client.connect();
      await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`);
      await client.end();
    };
    for (let round = 0; round < 6; round += 1) {
      await delay(3000);
      for (let n = 0; n < 10; n += 1) { await q(); await delay(500); }
      const end = performance.now();
      const before = ok.length;
      while (ok.length === before && performance.now() - end < 60_000) await delay(50);
      console.log('round', round, 'first 200 after', Math.round((ok.at(before) ?? 0) - end), 'ms', JSON.stringify(bad));
      for (const k of Object.keys(bad)) delete bad[k];
    }
    stop = true;
    await Promise.all(callers);
  } finally {
    await product.kill().catch(() => undefined);
    for (const pid of await databaseProcesses(dataDir).catch(() => [])) process.kill(pid, 'SIGKILL');
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}, 300_000);
