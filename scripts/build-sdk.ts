/** Builds the client's package into `dist/sdk`, from where `npm publish dist/sdk` takes it. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildPackage } from './sdk-build/build-package.ts';

const directory = join(import.meta.dirname, '../dist/sdk');
await rm(directory, { recursive: true, force: true });
await buildPackage(directory);
