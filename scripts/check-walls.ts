/** Checks the walls of `.dependency-cruiser.cjs` in the working directory. */
import { cruise } from 'dependency-cruiser';
import type { IReporterOutput } from 'dependency-cruiser';
import extractConfig from 'dependency-cruiser/config-utl/extract-depcruise-config';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const rooms = ['contracts', 'server', 'web', 'tests', 'scripts'];

const { options, ...ruleSet } = await extractConfig(`${process.cwd()}/.dependency-cruiser.cjs`);
const report: IReporterOutput = await cruise(
  rooms,
  { ...options, ruleSet, validate: true, outputType: 'err' },
  undefined,
  { tsConfig: extractTSConfig('tsconfig.json') },
);
console.log(report.output);

// With a compiler that it does not know, dependency-cruiser finds no modules, and nothing wrong in none.
const json = await cruise(['server/entry/serve.ts'], { ...options, outputType: 'json' });
const { modules } = JSON.parse(json.output as string) as { modules: { source: string }[] };
const isFollowed = modules.some(({ source }) => source.startsWith('server/platform/'));
if (!isFollowed) console.error('Nothing was cruised from server/entry/serve.ts.');
process.exitCode = report.exitCode === 0 && isFollowed ? 0 : 1;
