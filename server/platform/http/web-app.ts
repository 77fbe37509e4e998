import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { contentSecurityPolicy } from './content-security.ts';
import { answerUnknownPath } from './problem.ts';

const forEver = 'public, max-age=31536000, immutable';
/** To be asked for each time; an unchanged file is answered with 304. */
const revalidated = 'no-cache';

/**
 * Serves the built web app: its files by name, and the start page for every other path outside `/api`, so that a
 * reload of any screen works. Hashed files may be kept for ever; the page that names them is asked for each time.
 * The scripts written into the page are allowed by their hashes.
 * `returnPath`: another site's window, which a page opens, comes back to it and may talk with the page meanwhile.
 * A build that takes the place of the first one is served from then on; in between the page is as it was.
 */
export async function serveWebApp(
  app: FastifyInstance,
  directory: string,
  { returnPath }: { returnPath?: string | undefined } = {},
): Promise<void> {
  const files = { preCompressed: true, index: false, cacheControl: false } as const;
  await app.register(fastifyStatic, {
    ...files,
    root: directory,
    // Each file is a route of its own, so that everything else, `/` included, is the page.
    wildcard: false,
    globIgnore: ['assets/**', 'docs/**/*.html', 'index.html'],
    setHeaders: (reply) => void reply.header('cache-control', revalidated),
  });
  await app.register(fastifyStatic, {
    ...files,
    root: join(directory, 'assets'),
    prefix: '/assets/',
    decorateReply: false,
    setHeaders: (reply) => void reply.header('cache-control', forEver),
  });
  const currentPage = await openPage(join(directory, 'index.html'));
  app.setNotFoundHandler(async (request, reply) => {
    const isPage = request.method === 'GET' || request.method === 'HEAD';
    const path = request.url.split('?', 1)[0] ?? '';
    if (!isPage || path === '/api' || path.startsWith('/api/') || path.startsWith('/assets/')) {
      return answerUnknownPath(request, reply);
    }
    if (path === '/docs' || path.startsWith('/docs/')) return sendDocs(reply, directory, path);
    if (isFile(path)) return answerUnknownPath(request, reply);
    const page = await currentPage();
    reply.helmet({
      contentSecurityPolicy: contentSecurityPolicy(page.scriptHashes),
      ...(returnPath !== undefined && { crossOriginOpenerPolicy: { policy: openerPolicy(path === returnPath) } }),
    });
    if (page.isThere) return reply.sendFile('index.html');
    return reply.header('cache-control', revalidated).type('text/html; charset=utf-8').send(page.content);
  });
}

/** Browsers and tools ask for such files by their usual names; the page would pass for a broken one. */
const isFile = (path: string) => /\.(?:ico|png|svg|jpe?g|webp|css|js|mjs|map|txt|xml|json|webmanifest)$/i.test(path);

/** A page of the documentation, as it was written with the app's build; a 404 where there is none. */
async function sendDocs(reply: FastifyReply, directory: string, path: string) {
  const name = path.replace(/\/$/, '').slice(1);
  const asked = name === 'docs' ? 'docs/index' : name;
  const isName = /^docs(?:\/[a-z\d-]+)+$/.test(asked);
  for (const file of [...(isName ? [`${asked}.html`] : []), 'docs/not-found.html']) {
    const content = await readFile(join(directory, file), 'utf8').catch(() => undefined);
    if (content === undefined) continue;
    reply.helmet({ contentSecurityPolicy: contentSecurityPolicy(hashScripts(content)) });
    return reply.status(file === 'docs/not-found.html' ? 404 : 200).sendFile(file);
  }
  return answerUnknownPath(reply.request, reply);
}

/** The window keeps its tie to the page that opened it only where neither answer cuts it. */
const openerPolicy = (isReturn: boolean) => (isReturn ? 'unsafe-none' : 'same-origin-allow-popups');

type Page = { content: string; scriptHashes: readonly string[]; isThere: boolean };

/** Reads the file; while a build replaces it, remembers it as it was. */
async function openPage(path: string): Promise<() => Promise<Page>> {
  let content = await readFile(path, 'utf8');
  let scriptHashes = hashScripts(content);
  return async () => {
    try {
      const read = await readFile(path, 'utf8');
      if (read !== content) scriptHashes = hashScripts(read);
      content = read;
      return { content, scriptHashes, isThere: true };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return { content, scriptHashes, isThere: false };
    }
  };
}

/** The hashes of the scripts written into the page, as a content security policy names them. */
function hashScripts(page: string): string[] {
  const scripts = page.matchAll(/<script>(.*?)<\/script>/gs);
  return Array.from(scripts, ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
}
