import type { Plugin } from 'vite';

/** Of some pages alone: never in what every page fetches. */
const laterModules =
  /\/(?:dashboard\/chart|shared\/code)\/|\/shared\/ui\/qr-panel\.|\/node_modules\/(?:zod|react-hook-form)\//;
const everyPage = new Set(['base', 'common', 'frame']);

/** Fails a build that puts forms, charts, QR codes or code highlighting into what every page fetches. */
export function keepEntrySmall(): Plugin {
  return {
    name: 'keep-entry-small',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
      for (const { name, isEntry, fileName, moduleIds } of chunks) {
        const early = isEntry || everyPage.has(name) ? moduleIds.find((id) => laterModules.test(id)) : undefined;
        if (early !== undefined) this.error(`${early} is in ${fileName}, which every page fetches`);
      }
    },
  };
}
