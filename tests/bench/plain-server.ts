/**
 * The smallest server that stores what is posted to it: JSON over Node's own HTTP, one insert with a commit of its own, no
 * key, no check, no count. Prints `{"url": …}` and stops when its standard input closes; its argument is the database, with
 * the tables of `openBaseline`.
 */
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.argv[2], max: 20 });

async function answer(request: IncomingMessage): Promise<string> {
  const { to, message } = (await json(request)) as { to: string; message: string };
  const { rows } = await pool.query<{ id: string }>({
    name: 'insert',
    text: `insert into bench_messages (recipient, body, status) values ($1, $2, 'pending') returning id`,
    values: [to, message],
  });
  return JSON.stringify({ id: Number(rows[0]?.id), status: 'pending' });
}

const server = createServer((request, response) => {
  answer(request).then(
    (text) => response.writeHead(202, { 'content-type': 'application/json' }).end(text),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })}\n`);
});

process.stdin.resume();
process.stdin.on('close', () => process.exit(0));
