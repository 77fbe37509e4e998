/** The server, started anew at every change, and Vite's development server before it. Both end together. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'vite';
import { loadConfig } from '#server/config.ts';

process.env['NODE_ENV'] = 'development';
const { host, port } = loadConfig();

const vite = await createServer({ server: { proxy: { '/api': `http://${host}:${port}` } } });
await vite.listen();
vite.printUrls();

const [publicUrl = `http://localhost:${port}`] = vite.resolvedUrls?.local ?? [];
const server = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'server/entry/serve.ts'], {
  stdio: 'inherit',
  env: { PUBLIC_URL: publicUrl, ...process.env },
});
const exited = once(server, 'exit');
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // Vite's own handler would end this process before the server has stopped.
  process.removeAllListeners(signal).on(signal, () => server.kill(signal));
}

const [code] = (await exited) as [number | null];
await vite.close();
process.exit(code ?? 0);
