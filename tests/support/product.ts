import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The product in a process group of its own, started as `npm start` starts it. */
export type Product = {
  url: string;
  pid: number;
  /** From the start of the process to its word that it is ready. */
  readyAfterMs: number;
  /** Resident memory, MiB. */
  memoryMiB(): Promise<number>;
  hasExited(): boolean;
  /** The recent log lines of level warning or worse, oldest first. */
  warnings(): readonly string[];
  /** SIGTERM; answers the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL to the whole process group, as a machine that runs out of memory would. */
  kill(): Promise<void>;
};

export type ProductOptions = {
  env: Record<string, string>;
  /** The stand-in for WhatsApp: its address, and trust in its certificate. */
  whatsAppUrl?: string;
  /** Where the product's sources lie, for another release than this one. */
  root?: string;
  /** For a test that waits until they have ended. */
  hasShortLeases?: boolean;
};

const ownRoot = join(import.meta.dirname, '../..');

const keptWarnings = 40;
/** pino's. */
const [warnLevel, errorLevel] = [40, 50];

/** Settings of whoever runs the tests must not reach the product. */
const inherited = ['PATH', 'HOME', 'TMPDIR', 'LANG'];

export async function startProduct(options: ProductOptions): Promise<Product> {
  const { env, whatsAppUrl, root = ownRoot, hasShortLeases } = options;
  const started = performance.now();
  const preload = (isWanted: unknown, path: string) => (isWanted ? ['--import', join(ownRoot, path)] : []);
  const preloads = [
    ...preload(whatsAppUrl, 'tests/whatsapp/preload-test-root.ts'),
    ...preload(hasShortLeases, 'tests/support/preload-short-leases.ts'),
  ];
  const child = spawn(process.execPath, [...preloads, 'server/entry/serve.ts'], {
    cwd: root,
    detached: true,
    env: {
      ...Object.fromEntries(inherited.map((name) => [name, process.env[name]])),
      PORT: '0',
      LOG_LEVEL: 'info',
      WEBHOOKS_ALLOW_PRIVATE_ADDRESSES: 'true',
      ...(whatsAppUrl && { WHATSAPP_SOCKET_URL: whatsAppUrl }),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pid = child.pid ?? 0;
  const hasExited = () => child.exitCode !== null || child.signalCode !== null;
  const { url, warnings } = await readLog(child);
  return {
    url,
    pid,
    readyAfterMs: performance.now() - started,
    async memoryMiB() {
      const status = await readFile(`/proc/${pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    },
    hasExited,
    warnings: () => warnings,
    async stop() {
      if (!hasExited()) {
        const exit = once(child, 'exit');
        child.kill('SIGTERM');
        await exit;
      }
      return child.exitCode;
    },
    async kill() {
      const exit = once(child, 'exit');
      process.kill(-pid, 'SIGKILL');
      await exit;
    },
  };
}

/** The log line that says the product is ready names where it listens; what comes after it is read for its warnings. */
async function readLog({ stdout }: ChildProcess): Promise<{ url: string; warnings: readonly string[] }> {
  if (!stdout) throw new Error('The server has no output to read');
  const warnings: string[] = [];
  const ready = Promise.withResolvers<string>();
  let isReady = false;
  const lines = createInterface({ input: stdout });
  lines.on('line', (line) => {
    const entry = JSON.parse(line) as { listening?: string; level: number };
    if (entry.listening !== undefined) {
      isReady = true;
      ready.resolve(entry.listening);
    }
    if (entry.level >= warnLevel && warnings.push(line) > keptWarnings) warnings.shift();
    if (entry.level >= errorLevel && !isReady) process.stderr.write(`${line}\n`);
  });
  lines.on('close', () => ready.reject(new Error('The server ended before it was ready')));
  return { url: await ready.promise, warnings };
}
