import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { packPackage } from '../../sdk-build/pack-package.ts';

/** Where the product serves its client, for `npm install https://…`. Documentation and examples name it. */
export const packageFile = 'docs/sdk/dovepost.tgz';

/** Writes the client's package into the build, beside its documentation: it fits the API that serves it. */
export function buildSdk(): Plugin {
  return {
    name: 'build-sdk',
    apply: 'build',
    async generateBundle() {
      const scratch = await mkdtemp(join(tmpdir(), 'dovepost-sdk-'));
      try {
        const source = await readFile(await packPackage(scratch));
        this.emitFile({ type: 'asset', fileName: packageFile, source });
      } finally {
        await rm(scratch, { recursive: true });
      }
    },
  };
}
