/** Checks how much JavaScript the web app built into `dist/web` needs before it shows anything. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';

const budgetKb = 130;
const directory = join(process.cwd(), 'dist', 'web');

/** A part of Vite's manifest (https://vite.dev/guide/backend-integration). */
type Chunk = { file: string; isEntry?: boolean; imports?: string[] };
type Manifest = Partial<Record<string, Chunk>>;

/** The entries and what they import statically, which browsers fetch with them. */
function entryFiles(manifest: Manifest): string[] {
  const files = new Set<string>();
  function visit(key: string): void {
    const chunk = manifest[key];
    if (chunk === undefined) throw new Error(`${key} is imported and not in the manifest`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const imported of chunk.imports ?? []) visit(imported);
  }
  for (const [key, chunk] of Object.entries(manifest)) if (chunk?.isEntry === true) visit(key);
  return [...files];
}

function gzippedBytes(file: string): number {
  return gzipSync(readFileSync(join(directory, file)), { level: constants.Z_BEST_COMPRESSION }).length;
}

const manifest = JSON.parse(readFileSync(join(directory, '.vite', 'manifest.json'), 'utf8')) as Manifest;
const files = entryFiles(manifest);
if (files.length === 0) throw new Error('The build has no entry');

const totalKb = files.reduce((sum, file) => sum + gzippedBytes(file), 0) / 1000;
const isKept = totalKb <= budgetKb;
const summary = `The entry is ${totalKb.toFixed(1)} kB of JavaScript, gzip (budget: ${budgetKb} kB), in ${files.length} files.`;
if (isKept) console.log(summary);
else
  console.error([summary, ...files.map((file) => `  ${(gzippedBytes(file) / 1000).toFixed(1)} kB ${file}`)].join('\n'));
process.exitCode = isKept ? 0 : 1;
