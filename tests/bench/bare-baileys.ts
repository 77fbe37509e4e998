/**
 * The baseline for WhatsApp phones: Baileys as it comes, keys in memory, behind the smallest HTTP handler that waits
 * for the ack. Prints `{"url": …}`; `GET /open` answers the index of a new session, `GET /0/state` its QR payload and
 * whether it is connected, `POST /0/send` `{to, text}` answers once WhatsApp has taken the message, and so does `POST
 * /0/send-file?to=…` with the bytes of a document; `GET /0/files` answers how many that came are on the disk. With a
 * database as its second argument it commits what a crash must not lose: the message, the keys before it is on the wire,
 * and its outcome. Stops when its standard input closes.
 */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { createConnection } from 'node:net';
import type { AddressInfo, TcpNetConnectOpts } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import {
  Browsers,
  BufferJSON,
  downloadMediaMessage,
  initAuthCreds,
  makeCacheableSignalKeyStore,
  makeWASocket,
} from 'baileys';
import type { AnyMessageContent, SignalDataSet, SignalDataTypeMap, WAMessage } from 'baileys';
import pg from 'pg';
import { pino } from 'pino';
import { Agent, setGlobalDispatcher } from 'undici';
import { trustTestRoot } from '#tests/whatsapp/test-root.ts';

trustTestRoot();
// The Signal library would print sessions.
for (const method of ['info', 'warn', 'error'] as const) console[method] = () => {};

const waWebSocketUrl = process.argv[2] ?? '';
const store = process.argv[3] === undefined ? undefined : await openStore(process.argv[3]);
const logger = pino({ level: 'silent' });

const standIn = { host: '127.0.0.1', port: Number(new URL(waWebSocketUrl).port) };
const folder = await mkdtemp(join(tmpdir(), 'bare-baileys-'));

/** Baileys says https of every file, the stand-in has them over plain HTTP. */
class PlainAgent extends HttpsAgent {
  override createConnection(options: object) {
    return createConnection(options as TcpNetConnectOpts);
  }
}
const fetchAgent = new PlainAgent({ keepAlive: true });
setGlobalDispatcher(
  new Agent({
    connect(_options, done) {
      const socket = createConnection(standIn);
      socket.once('connect', () => done(null, socket)).once('error', (error) => done(error, null));
    },
  }),
);

/** Each call is a commit. */
async function openStore(connectionString: string) {
  const pool = new pg.Pool({ connectionString, max: 20 });
  await pool.query(`
    drop table if exists bare_messages, bare_keys;
    create table bare_messages (id text primary key, recipient text not null, body text not null, sent_at timestamptz);
    create table bare_keys (name text primary key, value text not null)`);
  const run = (name: string, text: string) => (values: unknown[]) => pool.query({ name, text, values });
  return {
    accept: run('accept', 'insert into bare_messages (id, recipient, body) values ($1, $2, $3)'),
    keep: run(
      'keep',
      `insert into bare_keys select unnest($1::text[]), unnest($2::text[]) order by 1
       on conflict (name) do update set value = excluded.value`,
    ),
    settle: run('settle', 'update bare_messages set sent_at = now() where id = $1'),
  };
}

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
      const kept: [string, string][] = [];
      for (const [type, entries] of Object.entries(data)) {
        for (const [id, value] of Object.entries(entries)) {
          const text = value ? JSON.stringify(value, BufferJSON.replacer) : '';
          if (value) stored.set(`${type}:${id}`, text);
          else stored.delete(`${type}:${id}`);
          kept.push([`${folder}:${type}:${id}`, text]);
        }
      }
      await store?.keep([kept.map(([name]) => name), kept.map(([, value]) => value)]);
    },
  };
}

type Text = { to: string; text: string };

async function keepFile(message: WAMessage): Promise<void> {
  const bytes = await downloadMediaMessage(message, 'stream', {});
  await pipeline(bytes, createWriteStream(join(folder, randomUUID())));
}

/** Opens a session, which shows a QR code. */
function openSession() {
  const creds = initAuthCreds();
  const keys = makeCacheableSignalKeyStore(createKeys(), logger);
  const waiting = new Map<string, () => void>();
  const state: { qr?: string; isOpen: boolean } = { isOpen: false };
  const files = { count: 0 };

  function connect() {
    const opened = makeWASocket({
      waWebSocketUrl,
      auth: { creds, keys },
      logger,
      browser: Browsers.ubuntu('Chrome'),
      syncFullHistory: false,
      markOnlineOnConnect: false,
      fetchAgent,
    });
    opened.ev.on('creds.update', (update) => Object.assign(creds, update));
    opened.ev.on('connection.update', ({ qr, connection }) => {
      if (qr !== undefined) state.qr = qr;
      if (connection === 'open') state.isOpen = true;
      // After a scan WhatsApp closes the connection for the device to come back as itself.
      if (connection === 'close') socket = connect();
    });
    opened.ev.on('messages.upsert', ({ messages }) => {
      for (const message of messages) {
        if (message.message?.documentMessage) void keepFile(message).then(() => (files.count += 1));
      }
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
    files,
    async send(to: string, content: AnyMessageContent): Promise<void> {
      const messageId = `3EB0${crypto.randomUUID().replaceAll('-', '').slice(0, 18).toUpperCase()}`;
      const acked = new Promise<void>((resolve) => waiting.set(messageId, resolve));
      await store?.accept([messageId, to, 'text' in content ? content.text : '']);
      await socket.sendMessage(`${to}@s.whatsapp.net`, content, { messageId });
      await acked;
      await store?.settle([messageId]);
    },
  };
}

const sessions: ReturnType<typeof openSession>[] = [];

async function answer(request: IncomingMessage): Promise<unknown> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://bare');
  if (pathname === '/memory') return { bytes: process.memoryUsage.rss() };
  if (pathname === '/open') return { index: sessions.push(openSession()) - 1 };
  const [, index, what] = pathname.split('/');
  const session = sessions[Number(index)];
  if (!session) throw new Error('There is no such session');
  if (what === 'state') return session.state;
  if (what === 'files') return session.files;
  if (what === 'send-file') {
    const document = await buffer(request);
    await session.send(searchParams.get('to') ?? '', { document, mimetype: 'application/pdf', fileName: 'a.pdf' });
    return {};
  }
  const { to, text } = (await json(request)) as Text;
  await session.send(to, { text });
  return {};
}

const server = createServer((request, response) => {
  answer(request).then(
    (result) => response.end(JSON.stringify(result)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })}\n`);
});

process.stdin.resume();
process.stdin.on('close', () => {
  void rm(folder, { recursive: true, force: true }).finally(() => process.exit(0));
});
