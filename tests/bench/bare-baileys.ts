/**
 * The baseline for WhatsApp phones: Baileys as it comes, keys in memory, behind the smallest HTTP handler that waits
 * for the ack. Prints `{"url": …}`; `GET /open` answers the index of a new session, `GET /0/state` its QR payload and whether
 * it is connected, `POST /0/send` `{to, text}` answers once WhatsApp has taken the message. It stops when its standard
 * input closes.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { Browsers, BufferJSON, initAuthCreds, makeCacheableSignalKeyStore, makeWASocket } from 'baileys';
import type { SignalDataSet, SignalDataTypeMap } from 'baileys';
import { pino } from 'pino';
import { trustTestRoot } from '#tests/whatsapp/test-root.ts';

trustTestRoot();
// The Signal library would print sessions.
for (const method of ['info', 'warn', 'error'] as const) console[method] = () => {};

const waWebSocketUrl = process.argv[2] ?? '';
const logger = pino({ level: 'silent' });

function createKeys() {
  const stored = new Map<string, string>();
  return {
    async get<T extends keyof SignalDataTypeMap>(type: T, ids: string[]) {
      const found: Record<string, SignalDataTypeMap[T]> = {};
      for (const id of ids) {
        const value = stored.get(`${type}:${id}`);
        if (value !== undefined) found[id] = JSON.parse(value, BufferJSON.reviver) as SignalDataTypeMap[T];
      }
      return found;
    },
    async set(data: SignalDataSet) {
      for (const [type, entries] of Object.entries(data)) {
        for (const [id, value] of Object.entries(entries)) {
          if (value) stored.set(`${type}:${id}`, JSON.stringify(value, BufferJSON.replacer));
          else stored.delete(`${type}:${id}`);
        }
      }
    },
  };
}

type Text = { to: string; text: string };

/** Opens a session, which shows a QR code. */
function openSession() {
  const creds = initAuthCreds();
  const keys = makeCacheableSignalKeyStore(createKeys(), logger);
  const waiting = new Map<string, () => void>();
  const state: { qr?: string; isOpen: boolean } = { isOpen: false };

  function connect() {
    const opened = makeWASocket({
      waWebSocketUrl,
      auth: { creds, keys },
      logger,
      browser: Browsers.ubuntu('Chrome'),
      syncFullHistory: false,
      markOnlineOnConnect: false,
    });
    opened.ev.on('creds.update', (update) => Object.assign(creds, update));
    opened.ev.on('connection.update', ({ qr, connection }) => {
      if (qr !== undefined) state.qr = qr;
      if (connection === 'open') state.isOpen = true;
      // After a scan WhatsApp closes the connection for the device to come back as itself.
      if (connection === 'close') socket = connect();
    });
    opened.ws.on('CB:ack,class:message', (node: { attrs: { id: string } }) => {
      waiting.get(node.attrs.id)?.();
      waiting.delete(node.attrs.id);
    });
    return opened;
  }

  let socket = connect();
  return {
    state,
    async send({ to, text }: Text): Promise<void> {
      const messageId = `3EB0${crypto.randomUUID().replaceAll('-', '').slice(0, 18).toUpperCase()}`;
      const acked = new Promise<void>((resolve) => waiting.set(messageId, resolve));
      await socket.sendMessage(`${to}@s.whatsapp.net`, { text }, { messageId });
      await acked;
    },
  };
}

const sessions: ReturnType<typeof openSession>[] = [];

async function answer(path: string | undefined, body: () => Promise<unknown>): Promise<unknown> {
  if (path === '/memory') return { bytes: process.memoryUsage.rss() };
  if (path === '/open') return { index: sessions.push(openSession()) - 1 };
  const [, index, what] = path?.split('/') ?? [];
  const session = sessions[Number(index)];
  if (!session) throw new Error('There is no such session');
  if (what === 'state') return session.state;
  await session.send((await body()) as Text);
  return {};
}

const server = createServer((request, response) => {
  answer(request.url, () => json(request)).then(
    (result) => response.end(JSON.stringify(result)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })}\n`);
});

process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
process.stdin.on('close', () => process.exit(0));
