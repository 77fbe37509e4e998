import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { answerUnknownPath } from './problem.ts';

const yearInSeconds = 31_536_000;

/**
 * Serves the built web app: its files by name, and the start page for every other path outside `/api`, so that a
 * reload of any screen works. Hashed files may be kept for ever; the page that names them is asked for each time.
 */
export async function serveWebApp(app: FastifyInstance, directory: string): Promise<void> {
  const page = await readFile(join(directory, 'index.html'));
  await app.register(fastifyStatic, {
    root: directory,
    // Each file is a route of its own, so that everything else, `/` included, is the page.
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      const isHashed = path.startsWith(join(directory, 'assets'));
      reply.header('cache-control', isHashed ? `public, max-age=${yearInSeconds}, immutable` : 'no-cache');
    },
  });
  app.setNotFoundHandler((request, reply) => {
    const isPage = request.method === 'GET' || request.method === 'HEAD';
    const path = request.url.split('?', 1)[0] ?? '';
    if (!isPage || path === '/api' || path.startsWith('/api/') || path.startsWith('/assets/')) {
      return answerUnknownPath(request, reply);
    }
    return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page);
  });
}
