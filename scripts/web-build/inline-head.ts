import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const webDirectory = join(import.meta.dirname, '../../web');
const headScript = /<script src="\/(head\/[\w-]+\.js)"><\/script>/g;

/**
 * Writes the scripts of `web/head` into the page: they run before the first paint, without a round trip. The server
 * allows them by their hashes.
 */
export function inlineHead(): Plugin {
  return {
    name: 'inline-head',
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        const scripts = new Map<string, string>();
        for (const [tag, file = ''] of html.matchAll(headScript)) {
          scripts.set(tag, await readFile(join(webDirectory, file), 'utf8'));
        }
        return html.replaceAll(headScript, (tag) => `<script>\n${scripts.get(tag)}</script>`);
      },
    },
  };
}
