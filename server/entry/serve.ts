import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Half of what a start costs is reading TypeScript, the same each time. Where this cannot be written to, it is read anew.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/compile'));

const { describeFault, serve } = await import('#server/serve.ts');
try {
  await serve();
  process.exit(0);
} catch (error) {
  process.stderr.write(`${describeFault(error)}\n`);
  process.exit(1);
}
