import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const configFiles = [
  'package.json',
  'tsconfig.base.json',
  'tsconfig.json',
  '.dependency-cruiser.cjs',
  '.oxlintrc.json',
];

export type SeededProject = {
  /** Runs a program of the project's in the copy. */
  run(program: string, ...args: string[]): { status: number | null; output: string };
  remove(): void;
};

/** A project with our settings and these files, to see a check fail in it. */
export function seedProject(files: Readonly<Record<string, string>>): SeededProject {
  const directory = mkdtempSync(join(tmpdir(), 'dovepost-checks-'));
  for (const file of configFiles) cpSync(join(root, file), join(directory, file));
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  for (const [path, source] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), source);
  }
  return {
    run(program, ...args) {
      const { status, stdout, stderr } = spawnSync(program, args, { cwd: directory, encoding: 'utf8' });
      return { status, output: stdout + stderr };
    },
    remove: () => rmSync(directory, { recursive: true }),
  };
}

export function inProject(path: string): string {
  return join(root, path);
}
