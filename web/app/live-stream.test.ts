import { expect, test } from 'vitest';
import { eventData } from './live-stream.ts';

async function readAll(...chunks: string[]): Promise<string[]> {
  const body = new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
  const events: string[] = [];
  for await (const data of eventData(new Response(body))) events.push(data);
  return events;
}

test.each<[string, string[], string[]]>([
  ['one event a block', ['data: a\n\ndata: b\n\n'], ['a', 'b']],
  ['an event cut anywhere', ['da', 'ta: {"x"', ':1}\n', '\n'], ['{"x":1}']],
  ['comments and other fields', [': ping\n\nevent: x\nid: 7\ndata: a\n\n'], ['a']],
  ['several data lines', ['data: a\ndata: b\n\n'], ['a\nb']],
  ['carriage returns', ['data: a\r\n\r\n'], ['a']],
  ['an unfinished event', ['data: a\n\ndata: b'], ['a']],
])('reads %s', async (_, chunks, expected) => {
  expect(await readAll(...chunks)).toEqual(expected);
});
