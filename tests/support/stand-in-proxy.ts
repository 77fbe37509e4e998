/** A proxy of a customer's: HTTP CONNECT or SOCKS5 (RFC 1928, 1929), with a user name and a password or without. */
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export type ProxyOptions = {
  kind: 'http' | 'socks5';
  /** Connections without these credentials are refused. */
  credentials?: { user: string; password: string };
};

export type StandInProxy = {
  /** With the user name and the password. */
  url: string;
  /** Where it was asked to connect to. */
  asked: string[];
  /** Refuses whatever comes from now on: with this HTTP status, or as SOCKS' ruleset does. */
  refusesWith: number | undefined;
  [Symbol.asyncDispose](): Promise<void>;
};

export async function startProxy(options: ProxyOptions): Promise<StandInProxy> {
  const sockets = new Set<Duplex>();
  const proxy: StandInProxy = { url: '', asked: [], refusesWith: undefined, [Symbol.asyncDispose]: close };
  const server: Server = options.kind === 'http' ? createHttpServer() : createServer();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    if (options.kind === 'socks5') serveSocks(socket, options, proxy).catch(() => socket.destroy());
  });
  if (options.kind === 'http') {
    server.on('connect', ({ url = '', headers }: { url?: string; headers: Record<string, string> }, client: Duplex) => {
      const status = isKnown(options, headers['proxy-authorization']) ? proxy.refusesWith : 407;
      if (status !== undefined) return void client.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\n\r\n`);
      const [host = '', port = ''] = url.split(':');
      tunnel(client, { host, port: Number(port) }, proxy, () => client.write('HTTP/1.1 200 Connected\r\n\r\n'));
    });
  }

  async function close(): Promise<void> {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { user, password } = options.credentials ?? {};
  const credentials = user === undefined ? '' : `${user}:${password}@`;
  proxy.url = `${options.kind}://${credentials}127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;
}

function isKnown({ credentials }: ProxyOptions, header: string | undefined): boolean {
  if (!credentials) return true;
  const expected = Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64');
  return header === `Basic ${expected}`;
}

function tunnel(client: Duplex, to: { host: string; port: number }, proxy: StandInProxy, onOpen: () => void): void {
  proxy.asked.push(`${to.host}:${to.port}`);
  const upstream = connect(to, () => {
    onOpen();
    client.pipe(upstream).pipe(client);
  });
  upstream.on('error', () => client.destroy());
  upstream.on('close', () => client.destroy());
  client.on('close', () => upstream.destroy());
}

async function serveSocks(socket: Socket, { credentials }: ProxyOptions, proxy: StandInProxy): Promise<void> {
  const next = () => new Promise<Buffer>((resolve) => socket.once('data', resolve));
  await next();
  socket.write(Buffer.from([5, credentials ? 2 : 0]));
  if (credentials) {
    const login = await next();
    const userEnd = 2 + (login[1] ?? 0);
    const user = login.subarray(2, userEnd).toString();
    const password = login.subarray(userEnd + 1).toString();
    const isRight = user === credentials.user && password === credentials.password;
    socket.write(Buffer.from([1, isRight ? 0 : 1]));
    if (!isRight) return void socket.end();
  }
  const request = await next();
  const notAllowed = 2;
  const answer = (code: number) => socket.write(Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]));
  if (proxy.refusesWith !== undefined) {
    answer(notAllowed);
    return void socket.end();
  }
  tunnel(socket, readTarget(request), proxy, () => answer(0));
}

function readTarget(request: Buffer): { host: string; port: number } {
  const isName = request[3] === 3;
  const end = isName ? 5 + (request[4] ?? 0) : 8;
  const host = isName ? request.subarray(5, end).toString() : [...request.subarray(4, end)].join('.');
  return { host, port: request.readUInt16BE(end) };
}
