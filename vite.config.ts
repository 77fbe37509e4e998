import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { paths } from './web/shared/paths.ts';

const compressibleFile = /\.(?:html|js|css|svg|json)$/;
/** Below this a compressed copy costs more than it saves. */
const minCompressedBytes = 1024;

/** The sign-in page and what it is made of: small, and all but the page itself is part of almost every other one. */
const base = { name: 'base', test: /\/features\/accounts\/login-page\./ };

/** What stands around every page behind sign-in. */
const frame = { name: 'frame', test: /\/app\/shell\/shell\./ };

/** Smaller parts that some pages share come together: a request more costs longer than what a page does not need. */
const mergedChunkBytes = 10_000;

/** Writes a brotli and a gzip copy next to every text file of the build, for the server to send as they are. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir = '.' }) {
      const entries = await readdir(dir, { recursive: true, withFileTypes: true });
      const files = entries
        .filter((entry) => entry.isFile() && compressibleFile.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name));
      await Promise.all(files.map(writeCompressedCopies));
    },
  };
}

async function writeCompressedCopies(file: string): Promise<void> {
  const content = await readFile(file);
  if (content.length < minCompressedBytes) return;
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
    promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, gzipped)]);
}

/** Of some pages alone: never in what every page fetches. */
const laterModules = /\/(?:dashboard\/chart|shared\/code)\/|\/shared\/ui\/qr-panel\./;

/** Fails a build that puts charts, QR codes or code highlighting into the entry or the base. */
function keepEntrySmall(): Plugin {
  return {
    name: 'keep-entry-small',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
      for (const { name, isEntry, fileName, moduleIds } of chunks) {
        const early = isEntry || name === base.name ? moduleIds.find((id) => laterModules.test(id)) : undefined;
        if (early !== undefined) this.error(`${early} is in ${fileName}, which every page fetches`);
      }
    },
  };
}

/** Where the server looks for the web app, and where a build grows meanwhile. */
const servedDirectory = join(import.meta.dirname, 'dist/web');
const nextDirectory = `${servedDirectory}.next`;
const previousDirectory = `${servedDirectory}.previous`;

/** Moves a build that is complete to where a running server finds it: it never sends half of a file. */
function publish(): Plugin {
  return {
    name: 'publish',
    apply: 'build',
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler({ dir }) {
        if (dir !== nextDirectory) return;
        await rm(previousDirectory, { recursive: true, force: true });
        if (existsSync(servedDirectory)) await rename(servedDirectory, previousDirectory);
        await rename(nextDirectory, servedDirectory);
        await rm(previousDirectory, { recursive: true, force: true });
      },
    },
  };
}

/** The modules of the pages behind sign-in, by the path that `web/app/routes.tsx` gives each. */
async function readPages(): Promise<[path: string, module: string][]> {
  const source = await readFile(join(import.meta.dirname, 'web/app/routes.tsx'), 'utf8');
  const routes = source.split('createRoute(').filter((route) => route.includes('getParentRoute: () => shell,'));
  return routes.map((route) => {
    const path = paths[/path: paths\.(\w+)/.exec(route)?.[1] as keyof typeof paths];
    const module = /import\('(?:#web\/|\.\/)([^']+)'\)/.exec(route)?.[1];
    if (path === undefined || module === undefined) throw new Error(`A page without a path or a module:\n${route}`);
    return [path, module];
  });
}

/** The file of a module that is fetched when it is needed, and those that it imports. */
function filesOf(chunks: readonly Rolldown.OutputChunk[], module: string): string[] {
  const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/${module}`)));
  if (chunk === undefined) throw new Error(`The build has no chunk of ${module}`);
  const files = new Set([chunk.fileName]);
  // A set goes on with what is added to it.
  for (const file of files)
    for (const imported of chunks.find(({ fileName }) => fileName === file)?.imports ?? []) files.add(imported);
  return [...files];
}

/**
 * Lets the browser fetch what a page needs beside the entry, not after it has run: the base, which almost all need, and
 * for who is signed in the rest by the address (`web/public/preload.js`).
 */
function preloadPages(): Plugin {
  return {
    name: 'preload-pages',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
        const baseFile = chunks.find(({ name }) => name === base.name)?.fileName;
        if (baseFile === undefined) throw new Error(`The build has no chunk named ${base.name}`);
        const isWanted = (file: string) => file !== baseFile && !html.includes(file);
        const pages = (await readPages()).map(([path, module]) => {
          const all = [...filesOf(chunks, 'shell/shell.tsx'), ...filesOf(chunks, module)];
          return [path, [...new Set(all)].filter(isWanted)] as const;
        });
        const files = [...new Set(pages.flatMap(([, needed]) => needed))];
        const list = {
          files: files.map((file) => `/${file}`),
          paths: Object.fromEntries(pages.map(([path, needed]) => [path, needed.map((file) => files.indexOf(file))])),
        };
        const preload = { rel: 'modulepreload', crossorigin: true, href: `/${baseFile}` };
        return [
          {
            tag: 'script',
            attrs: { type: 'application/json', id: 'page-files' },
            children: JSON.stringify(list),
            injectTo: 'head-prepend',
          },
          { tag: 'link', attrs: preload, injectTo: 'head' },
        ];
      },
    },
  };
}

export default defineConfig({
  root: 'web',
  plugins: [react(), tailwindcss(), keepEntrySmall(), preloadPages(), precompress(), publish()],
  build: {
    outDir: nextDirectory,
    emptyOutDir: true,
    manifest: true,
    // Inlined assets would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    target: 'es2023',
    rolldownOptions: {
      output: {
        chunkFileNames: ({ name }) => `assets/${name.split('~', 1)[0]}-[hash].js`,
        codeSplitting: {
          groups: [
            { name: 'entry', tags: ['$initial'] },
            base,
            frame,
            { name: 'common', minShareCount: 5 },
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: mergedChunkBytes },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': 'http://127.0.0.1:3000' },
  },
});
