import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chunkGroups } from './scripts/web-build/chunk-groups.ts';
import { buildDocs } from './scripts/web-build/docs/build-docs.ts';
import { inlineHead } from './scripts/web-build/inline-head.ts';
import { keepEntrySmall } from './scripts/web-build/keep-entry-small.ts';
import { namePageFiles } from './scripts/web-build/name-page-files.ts';
import { precompress } from './scripts/web-build/precompress.ts';
import { nextDirectory, publish } from './scripts/web-build/publish.ts';
import { buildSdk } from './scripts/web-build/sdk/build-sdk.ts';
import { stripDescriptions } from './scripts/web-build/strip-descriptions.ts';

export default defineConfig({
  root: 'web',
  plugins: [
    react(),
    tailwindcss(),
    inlineHead(),
    keepEntrySmall(),
    namePageFiles(),
    buildDocs(),
    buildSdk(),
    stripDescriptions(),
    precompress(),
    publish(),
  ],
  build: {
    outDir: nextDirectory,
    emptyOutDir: true,
    manifest: true,
    // Inlined assets would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    target: 'es2023',
    // The first that know `light-dark()`, in which every colour is written.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    rolldownOptions: {
      output: {
        chunkFileNames: ({ name }) => `assets/${name.split('~', 1)[0]}-[hash].js`,
        codeSplitting: { groups: chunkGroups() },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': 'http://127.0.0.1:3000' },
  },
});
