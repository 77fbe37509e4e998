import type { Readable } from 'node:stream';

/** The words and the picture that a page has for links to it. */
export type PageHead = { title?: string; description?: string; picture?: string };

const longest = { title: 300, description: 500, picture: 2_000 } as const;

/** The names of `meta` that say the same, the best first. */
const names = {
  title: ['og:title', 'twitter:title'],
  description: ['og:description', 'twitter:description', 'description'],
  picture: ['og:image', 'og:image:url', 'twitter:image'],
} as const;

/** Reads the head of a page, of at most so many bytes. */
export async function readPageHead(bytes: Readable, maxBytes: number): Promise<PageHead> {
  const { Parser } = await import('htmlparser2');
  const found = new Map<string, string>();
  let isOver = false;
  let isTitle = false;
  const parser = new Parser({
    onopentag(name, { property, name: called, content = '' }) {
      const key = (property ?? called ?? '').toLowerCase();
      if (isOver) return;
      if (name === 'meta' && key !== '' && !found.has(key)) found.set(key, content);
      if (name === 'title') isTitle = true;
      if (name === 'body') isOver = true;
    },
    ontext(text) {
      if (isTitle && !isOver) found.set('title', `${found.get('title') ?? ''}${text}`.slice(0, longest.title));
    },
    onclosetag(name) {
      if (name === 'title') isTitle = false;
      if (name === 'head') isOver = true;
    },
  });
  const decoder = new TextDecoder();
  let left = maxBytes;
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    parser.write(decoder.decode(chunk.subarray(0, left), { stream: true }));
    left -= chunk.length;
    if (isOver || left <= 0) break;
  }
  parser.end();
  const head: PageHead = {};
  for (const part of ['title', 'description', 'picture'] as const) {
    const texts = [...names[part], ...(part === 'title' ? ['title'] : [])].map((name) => clean(found.get(name)));
    const text = texts.find((each) => each !== '');
    if (text !== undefined && text.length <= longest.picture) head[part] = text.slice(0, longest[part]);
  }
  return head;
}

const clean = (text = ''): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
