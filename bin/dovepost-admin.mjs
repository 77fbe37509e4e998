#!/usr/bin/env node
/** `npx dovepost-admin`: the product's own Node runs it, as an older one may have found this file. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const ownNode = `${root}node_modules/node/bin/node`;
const { status } = spawnSync(
  existsSync(ownNode) ? ownNode : process.execPath,
  [`${root}server/entry/admin.ts`, ...process.argv.slice(2)],
  { stdio: 'inherit' },
);
process.exit(status ?? 1);
