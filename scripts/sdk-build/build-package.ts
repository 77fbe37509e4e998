import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { documentTypes } from './document-types.ts';
import { manifest } from './manifest.ts';

const root = join(import.meta.dirname, '../..');
const source = join(root, 'sdk');
/** The modules a program can import from the package; the command line and the MCP server are run, not imported. */
const typed = ['index.ts', 'client.ts', 'paging.ts', 'transport.ts', 'webhooks.ts', 'api', 'core'];

/** Writes the package that `npm publish` takes: plain JavaScript, types without the contracts, and its words. */
export async function buildPackage(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  await Promise.all([bundle(directory), declareTypes(join(directory, 'types'))]);
  for (const file of ['README.md', 'LICENSE']) await cp(join(source, file), join(directory, file));
  await writeFile(join(directory, 'package.json'), `${JSON.stringify(manifest(version), null, 2)}\n`);
}

/** The packages of the MCP server become a part of it: who installs the client installs nothing else. */
async function bundle(directory: string): Promise<void> {
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: directory,
      emptyOutDir: false,
      minify: false,
      target: 'node20',
      license: { fileName: 'THIRD-PARTY.md' },
      rolldownOptions: {
        input: { index: join(source, 'index.ts'), cli: join(source, 'cli/main.ts') },
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
      },
    },
  });
}

const compilerOptions = {
  target: 'ES2023',
  lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
  types: [],
  module: 'NodeNext',
  strict: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
  declaration: true,
  emitDeclarationOnly: true,
  skipLibCheck: true,
};

/** The client is compiled against the types of the API document: what does not fit those fails here. */
async function declareTypes(directory: string): Promise<void> {
  // Below the project, where the compiler finds nothing that it should not.
  await mkdir(join(root, 'dist'), { recursive: true });
  const scratch = await mkdtemp(join(root, 'dist/sdk-types-'));
  try {
    await Promise.all(typed.map((part) => cp(join(source, part), join(scratch, part), { recursive: true })));
    await writeFile(join(scratch, 'package.json'), '{ "type": "module" }');
    await writeFile(join(scratch, 'api/contracts.ts'), await documentTypes());
    const options = { ...compilerOptions, outDir: directory, rootDir: scratch };
    await writeFile(join(scratch, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['index.ts'] }));
    const compiler = join(root, 'node_modules/@typescript/native/bin/tsc');
    await promisify(execFile)(process.execPath, [compiler, '-p', scratch]).catch((error: { stdout: string }) => {
      throw new Error(`The package does not compile against the API document:\n${error.stdout}`);
    });
  } finally {
    await rm(scratch, { recursive: true });
  }
  for (const file of await readdir(directory, { recursive: true })) {
    if (!file.endsWith('.d.ts')) continue;
    const path = join(directory, file);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replaceAll(/(from |import\()(["'])(\.{1,2}\/[^"']+)\.ts\2/g, '$1$2$3.js$2'));
  }
}
