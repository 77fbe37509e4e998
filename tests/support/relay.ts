import { createServer, connect as connectSocket } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export type LostCommit = { statement: string; takesEffect: boolean; onCut?: () => void };

export type Relay = {
  /** The database's own, with the relay's port. */
  connectionString: string;
  fallSilent(): void;
  recover(): void;
  /** Cuts the connections there are, as a failover does. */
  cut(): void;
  /** From now on new connections go there, as after a failover; those there are stay. */
  leadTo(connectionString: string): void;
  /** How many there are. */
  connections(): number;
  /** Cuts them, and every one that is made until `recover`. */
  goAway(): void;
  /**
   * Cuts the next connection that commits after a statement of this name, once: before its COMMIT gets there, or once it
   * has taken effect. `onCut` is what happens at the same moment.
   */
  loseCommit(lost: LostCommit): void;
  /** Ends the next connection whose answer holds `text`, with `instead` in place of it and of the rest, once. */
  breakAnswer(text: string, instead: Buffer): void;
};

/**
 * Stands between the product and its database, or another service, until the test ends, to fail as a network does.
 * `address`: its own, where that is not the target's.
 */
export async function startRelay(connectionString: string, address?: string): Promise<Relay> {
  let target = new URL(connectionString);
  const sockets = new Set<Socket>();
  let isSilent = false;
  let isAway = false;
  let lost: LostCommit | undefined;
  let broken: { text: string; instead: Buffer } | undefined;

  /** Answers whether it has taken care of the answer. */
  function breaksAnswer(near: Socket, data: Buffer): boolean {
    const start = broken ? data.indexOf(broken.text) : -1;
    if (!broken || start < 0) return false;
    near.end(Buffer.concat([data.subarray(0, start), broken.instead]));
    broken = undefined;
    return true;
  }

  function watchCommit(near: Socket, far: Socket): void {
    let isNamed = false;
    near.prependListener('data', (data: Buffer) => {
      if (!lost) return;
      isNamed ||= data.includes(`${lost.statement}\0`);
      if (!isNamed || !data.includes('commit\0')) return;
      const { takesEffect, onCut } = lost;
      lost = undefined;
      const end = () => {
        near.destroy();
        onCut?.();
      };
      if (takesEffect) far.prependOnceListener('data', end);
      else {
        far.destroy();
        end();
      }
    });
  }

  const server = createServer((near) => {
    if (isAway) return void near.destroy();
    const far = connectSocket(Number(target.port), target.hostname);
    watchCommit(near, far);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (data) => isSilent || (from === far && breaksAnswer(near, data)) || to.write(data));
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.on('error', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, address ?? '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  const url = new URL(connectionString);
  url.port = String((server.address() as AddressInfo).port);
  if (address !== undefined) url.hostname = address;
  // The address of a socket would lead past the relay.
  url.searchParams.delete('host');
  return {
    connectionString: url.href,
    fallSilent: () => void (isSilent = true),
    recover: () => void (isSilent = isAway = false),
    cut,
    leadTo: (next) => void (target = new URL(next)),
    connections: () => sockets.size / 2,
    goAway() {
      isAway = true;
      cut();
    },
    loseCommit: (next) => void (lost = next),
    breakAnswer: (text, instead) => void (broken = { text, instead }),
  };
}
