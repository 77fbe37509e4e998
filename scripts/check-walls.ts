/** Checks the walls of `.dependency-cruiser.cjs` in the working directory, and that its modules have an order. */
import { cruise, format } from 'dependency-cruiser';
import type { ICruiseResult } from 'dependency-cruiser';
import extractConfig from 'dependency-cruiser/config-utl/extract-depcruise-config';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { findCircle } from './find-circle.ts';

const rooms = ['contracts', 'server', 'web', 'tests', 'scripts'];

const { options, ...ruleSet } = await extractConfig(`${process.cwd()}/.dependency-cruiser.cjs`);
const cruised = await cruise(rooms, { ...options, ruleSet, validate: true }, undefined, {
  tsConfig: extractTSConfig('tsconfig.json'),
});
const result = cruised.output as ICruiseResult;
const report = await format(result, { outputType: 'err' });
console.log(report.output);

const circle = findCircle(result.modules, 'server/modules/');
if (circle !== undefined) console.error(`Modules need each other: ${circle}`);

// With a compiler that it does not know, dependency-cruiser finds no modules, and nothing wrong in none.
const json = await cruise(['server/entry/serve.ts'], { ...options, outputType: 'json' });
const { modules } = JSON.parse(json.output as string) as { modules: { source: string }[] };
const isFollowed = modules.some(({ source }) => source.startsWith('server/platform/'));
if (!isFollowed) console.error('Nothing was cruised from server/entry/serve.ts.');
process.exitCode = report.exitCode === 0 && circle === undefined && isFollowed ? 0 : 1;
