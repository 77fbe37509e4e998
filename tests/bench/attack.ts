import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Pool as HttpPool } from 'undici';

export type AttackRequest = { method: 'GET' | 'POST'; path: string; body?: string };

/** The requests of an account, sent over and over in this order, on so many connections. */
export type Attack = { url: string; token: string; connections: number; requests: readonly AttackRequest[] };

/** Limits that hold for an address are not shared with whoever measures. */
const attackersAddress = '127.0.0.77';

type Statuses = Record<number, number>;

/**
 * Asks from a process of its own: making the requests and reading the answers must not slow whoever measures. `stop`
 * ends it and answers how many had each status.
 */
export function startAttack(attack: Attack): { stop(): Promise<Statuses> } {
  const child = fork(import.meta.filename);
  child.send(attack);
  return {
    async stop() {
      const answered = once(child, 'message') as Promise<[Statuses]>;
      child.send('stop');
      const [statuses] = await answered;
      return statuses;
    },
  };
}

async function attackUntil(signal: AbortSignal, { url, token, connections, requests }: Attack): Promise<Statuses> {
  const http = new HttpPool(url, { connections, localAddress: attackersAddress });
  const statuses: Statuses = {};
  await Promise.all(
    Array.from({ length: connections }, async (_, caller) => {
      for (let index = caller; !signal.aborted; index += connections) {
        const { method, path, body } = requests[index % requests.length] as AttackRequest;
        const headers = { authorization: token, ...(body !== undefined && { 'content-type': 'application/json' }) };
        try {
          const response = await http.request({ method, path, headers, signal, ...(body !== undefined && { body }) });
          await response.body.dump({ limit: Number.MAX_SAFE_INTEGER, signal });
          statuses[response.statusCode] = (statuses[response.statusCode] ?? 0) + 1;
        } catch (error) {
          if (!signal.aborted) throw error;
        }
      }
    }),
  );
  await http.destroy();
  return statuses;
}

/** In the process that `startAttack` made. */
async function serveParent(): Promise<void> {
  const stopping = new AbortController();
  const [attack] = (await once(process, 'message')) as [Attack];
  process.once('message', () => stopping.abort());
  const statuses = await attackUntil(stopping.signal, attack);
  process.send?.(statuses, () => process.disconnect());
}

if (process.argv[1] === import.meta.filename) await serveParent();
