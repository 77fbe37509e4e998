import { createServer, connect as connectSocket } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export type Relay = {
  /** The database's own, with the relay's port. */
  connectionString: string;
  fallSilent(): void;
  recover(): void;
  /** Cuts the connections there are, as a failover does. */
  cut(): void;
};

/** Stands between the product and its database until the test ends, to fail as a network does. */
export async function startRelay(connectionString: string): Promise<Relay> {
  const target = new URL(connectionString);
  const sockets = new Set<Socket>();
  let isSilent = false;
  const server = createServer((near) => {
    const far = connectSocket(Number(target.port), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (data) => isSilent || to.write(data));
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.on('error', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  const url = new URL(connectionString);
  url.port = String((server.address() as AddressInfo).port);
  return {
    connectionString: url.href,
    fallSilent: () => void (isSilent = true),
    recover: () => void (isSilent = false),
    cut,
  };
}
