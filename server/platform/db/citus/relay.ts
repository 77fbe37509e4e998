import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import type { Place } from './find-place.ts';

/** A port of this machine whose connections lead to where `findPlace` answers; they wait for the answer. */
export async function startRelay(findPlace: () => Promise<Place>) {
  const sockets = new Set<Socket>();

  /** Ends the other with it. */
  function join(from: Socket, to: Socket): void {
    sockets.add(from);
    from.setNoDelay(true);
    from.pipe(to);
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  }

  const server = createServer((near) => {
    sockets.add(near);
    near.on('error', () => undefined);
    near.on('close', () => sockets.delete(near));
    void findPlace().then(({ host, port }) => {
      if (near.destroyed) return;
      const far = connect(port, host);
      far.on('error', () => undefined);
      join(near, far);
      join(far, near);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    stop() {
      server.close();
      cut();
    },
  };
}
