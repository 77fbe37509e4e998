import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildPackage } from './build-package.ts';

/** Builds the package below `directory` and packs it as `npm publish` would. Answers the path of the archive. */
export async function packPackage(directory: string): Promise<string> {
  const built = join(directory, 'package');
  await buildPackage(built);
  // The npm that runs this, where one does.
  const own = process.env['npm_execpath'];
  const [command, ...args] = own?.endsWith('.js') ? [process.execPath, own] : ['npm'];
  const pack = [...args, 'pack', built, '--offline', '--json', '--pack-destination', directory];
  const { stdout } = await promisify(execFile)(command, pack, { cwd: directory });
  const [packed] = JSON.parse(stdout) as { filename: string }[];
  if (!packed) throw new Error('npm packed nothing');
  return join(directory, packed.filename);
}
