import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { paths } from '../../web/shared/paths.ts';

const routesFile = join(import.meta.dirname, '../../web/app/routes.tsx');
const frameModule = 'shell/shell.tsx';

/** In `web/index.html`: no files, as long as nothing is built. */
const emptyList = '{ "files": [], "pages": {}, "open": [] }';
const styleSheet = /\s*<link rel="stylesheet"[^>]*>/;

/** An open page takes whoever comes; the others send a stranger to sign in. */
type Page = { path: string; modules: string[]; isOpen: boolean };

/**
 * Lets the browser fetch what a page needs beside the entry, not after it has run (`web/head/preload.js`), and puts the
 * style sheet below what stands in for the first page, which is painted without.
 */
export function namePageFiles(): Plugin {
  return {
    name: 'name-page-files',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle = {} }) {
        const sheet = styleSheet.exec(html)?.[0];
        if (sheet === undefined || !html.includes(emptyList)) throw new Error('The page has lost a part of its head.');
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
        const list = listFiles(await readPages(), (module) => filesOf(chunks, module).filter((f) => !html.includes(f)));
        return html
          .replace(sheet, '')
          .replace('  </body>', `    ${sheet.trim()}\n  </body>`)
          .replace(emptyList, JSON.stringify(list));
      },
    },
  };
}

/** The files of each page, by their places in the list of all. */
function listFiles(pages: readonly Page[], filesOfModule: (module: string) => string[]) {
  const neededBy = (page: Page) => [...new Set(page.modules.flatMap(filesOfModule))].map((file) => `/${file}`);
  const files = [...new Set(pages.flatMap(neededBy))];
  return {
    files,
    pages: Object.fromEntries(pages.map((page) => [page.path, neededBy(page).map((file) => files.indexOf(file))])),
    open: pages.filter(({ isOpen }) => isOpen).map(({ path }) => path),
  };
}

/** The pages by the paths and the modules that `web/app/routes.tsx` gives them; an editor opens over its list's. */
async function readPages(): Promise<Page[]> {
  const routes = (await readFile(routesFile, 'utf8')).split(/(?=const \w+ = createRoute\()/).slice(1);
  const lists = new Map<string, Page>();
  const pages = routes.flatMap((route): Page[] => {
    const list = lists.get(/getParentRoute: \(\) => (\w+),/.exec(route)?.[1] ?? '');
    const place = /path: '([^']+)'/.exec(route)?.[1];
    if (list !== undefined && place !== undefined) return [{ ...list, path: `${list.path}/${place}` }];
    const path = paths[/path: paths\.(\w+)/.exec(route)?.[1] as keyof typeof paths];
    const module = /import\('(?:#web\/|\.\/)([^']+)'\)/.exec(route)?.[1];
    if (path === undefined || module === undefined) return [];
    const isInFrame = route.includes('getParentRoute: () => shell,');
    const isOpen = !isInFrame && !/guardRoute\((?!'guest')/.test(route);
    const page = { path, modules: isInFrame ? [frameModule, module] : [module], isOpen };
    lists.set(/^const (\w+)/.exec(route)?.[1] ?? '', page);
    return [page];
  });
  if (pages.length < Object.keys(paths).length) throw new Error(`Not every page was found in ${routesFile}.`);
  return pages;
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
