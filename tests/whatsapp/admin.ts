/** The control of a stand-in over HTTP: `POST /<method>` with the arguments as a JSON array. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { controlMethods } from './control.ts';
import type { StandInControl } from './control.ts';

type Method = (...args: unknown[]) => Promise<unknown>;

export function answerAdmin(control: StandInControl) {
  const methods = control as unknown as Record<string, Method>;
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const name = (request.url ?? '').slice(1);
    const method = (controlMethods as readonly string[]).includes(name) ? methods[name] : undefined;
    if (!method) return void response.writeHead(404).end();
    try {
      const result = await method(...((await readJson(request)) as unknown[]));
      response.writeHead(200).end(JSON.stringify({ result }));
    } catch (error) {
      response.writeHead(400).end(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }));
    }
  };
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return parts.length > 0 ? JSON.parse(Buffer.concat(parts).toString()) : [];
}
