import { once } from 'node:events';
import { access, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Cluster } from './cluster.ts';
import type { Settings } from './postmaster.ts';

/** macOS takes 103 bytes, Linux 107: `sockaddr_un`. */
const longestPath = 103;

const pathOf = (cluster: Cluster, port: number) => join(cluster.home, `.s.PGSQL.${port}`);

/**
 * The settings by which PostgreSQL also listens on a Unix socket in the cluster's home, which costs a query a fifth
 * less than TCP. None on Windows, where the path is too long, and on file systems without sockets: PostgreSQL does not
 * start where it cannot make one.
 */
export async function socketSettings(cluster: Cluster): Promise<Settings> {
  const path = join(cluster.home, `.probe-${process.pid}`);
  if (process.platform === 'win32' || Buffer.byteLength(pathOf(cluster, 65_535)) > longestPath) return {};
  const server = createServer().listen(path);
  try {
    await once(server, 'listening');
  } catch {
    return {};
  } finally {
    server.close();
    await rm(path, { force: true });
  }
  // Relative to the data directory, where PostgreSQL works: no path to quote, none that another user may not walk.
  return { unix_socket_directories: '..' };
}

/** The same database by its socket, where there is one. The port stays: the socket's name ends with it. */
export async function bySocket(connectionString: string, cluster: Cluster, port: number): Promise<string> {
  try {
    await access(pathOf(cluster, port));
  } catch {
    return connectionString;
  }
  const url = new URL(connectionString);
  url.searchParams.set('host', cluster.home);
  return url.href;
}
