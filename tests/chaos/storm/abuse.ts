import { Pool as HttpPool } from 'undici';
import { expect } from 'vitest';
import { median, percentile } from '#tests/bench/measure.ts';
import type { Random } from '#tests/support/random.ts';
import type { Worker } from './cluster.ts';
import type { Party, StormScene } from './storm-scene.ts';

type Request = { method: 'GET' | 'POST'; path: string; body?: string };
type Abuse = { connections: number; request(index: number, abuser: Party): Request };

const condition = (operator: string, fieldPath: string, value: string) =>
  JSON.stringify({ condition: { operator, fieldPath, value } });

export const abuses: Readonly<Record<string, Abuse>> = {
  lists: {
    connections: 40,
    request: (index, { projectId }) => ({
      method: 'GET',
      path: `/api/projects/${projectId}/messages?page=${1 + (index % 100)}&pageSize=100`,
    }),
  },
  counts: {
    connections: 24,
    request: () => ({
      method: 'POST',
      path: '/api/segments/preview-count',
      body: condition('not_equals', 'name', 'x'),
    }),
  },
  searches: {
    connections: 24,
    request: (index) => ({ method: 'GET', path: `/api/profiles?search=erson%20${index}&pageSize=100` }),
  },
  previews: {
    connections: 110,
    request: () => ({
      method: 'POST',
      path: '/api/flows/preview-count',
      body: JSON.stringify({ conditions: [{ operator: 'not_equals', fieldPath: 'name', value: 'x' }] }),
    }),
  },
  exports: { connections: 30, request: () => ({ method: 'GET', path: '/api/profiles/export' }) },
};

const quietSends = 20;
/** An address of its own, as strangers have. */
const abusersAddress = '127.0.0.77';
/** Far beyond what the load of a busy machine does, and far below what a starved neighbour sees. */
const mostTimes = 5;
const graceMs = 200;

/** Another account's sends while one asks for as much as it can, beside its quiet ones. Answers their ratio. */
export async function measureAbuse(scene: StormScene, random: Random): Promise<string> {
  const name = random.pick(Object.keys(abuses));
  const worker = random.pick(scene.cluster.workers);
  const quiet = await timeSends(worker, scene, quietSends);
  const stop = new AbortController();
  const attack = attackWith(worker, scene.abuser, { abuse: abuses[name] as Abuse, signal: stop.signal });
  const loud = await timeSends(worker, scene, quietSends);
  stop.abort();
  const statuses = await attack;
  const ratio = median(loud) / median(quiet);
  expect(median(loud), `${name}: ${ratio.toFixed(1)} times`).toBeLessThan(mostTimes * median(quiet) + graceMs);
  expect([...statuses.keys()].filter((status) => ![200, 429, 503].includes(status))).toEqual([]);
  const shares = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  return `${name}: median ×${ratio.toFixed(2)}, p90 ×${(percentile(loud, 0.9) / percentile(quiet, 0.9)).toFixed(2)} (${shares})`;
}

async function timeSends({ product }: Worker, { neighbour, watch }: StormScene, count: number): Promise<number[]> {
  const http = new HttpPool(product.url, { connections: 1 });
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const startedAt = performance.now();
    const { statusCode, body } = await http.request({
      method: 'POST',
      path: '/api/send-message',
      headers: { 'content-type': 'application/json', 'x-auth-key': neighbour.authKey, prefer: 'respond-async' },
      body: JSON.stringify({ to: '14155661001', message: 'Timed' }),
    });
    const said = await body.text();
    if (statusCode !== 202) throw new Error([`${statusCode} ${said}`, ...(await watch.lately())].join('\n'));
    times.push(performance.now() - startedAt);
  }
  await http.close();
  return times;
}

async function attackWith(
  { product }: Worker,
  abuser: Party,
  { abuse, signal }: { abuse: Abuse; signal: AbortSignal },
): Promise<Map<number, number>> {
  const { connections } = abuse;
  const http = new HttpPool(product.url, { connections, localAddress: abusersAddress });
  const statuses = new Map<number, number>();
  const attack = async (caller: number) => {
    for (let index = caller; !signal.aborted; index += connections) {
      const { method, path, body } = abuse.request(index, abuser);
      const headers = {
        authorization: abuser.token,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      };
      try {
        const response = await http.request({ method, path, headers, signal, ...(body !== undefined && { body }) });
        await response.body.dump({ limit: Number.MAX_SAFE_INTEGER, signal });
        statuses.set(response.statusCode, (statuses.get(response.statusCode) ?? 0) + 1);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, caller) => attack(caller)));
  await http.destroy();
  return statuses;
}
