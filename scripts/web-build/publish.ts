import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Where the server looks for the web app, and where a build grows meanwhile. */
const servedDirectory = join(import.meta.dirname, '../../dist/web');
export const nextDirectory = `${servedDirectory}.next`;
const previousDirectory = `${servedDirectory}.previous`;

/** Moves a build that is complete to where a running server finds it: it never sends half of a file. */
export function publish(): Plugin {
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
