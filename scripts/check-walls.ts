/**
 * Checks in the working directory the walls of `.dependency-cruiser.cjs`, that the modules have an order, and that each
 * alone writes its tables and notifies its channels.
 */
import { cruise, format } from 'dependency-cruiser';
import type { ICruiseResult } from 'dependency-cruiser';
import extractConfig from 'dependency-cruiser/config-utl/extract-depcruise-config';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { findCircle } from './find-circle.ts';
import { checkOwnership } from './ownership/check-ownership.ts';

const rooms = ['contracts', 'sdk', 'server', 'web', 'tests', 'scripts'];

const { options, ...ruleSet } = await extractConfig(`${process.cwd()}/.dependency-cruiser.cjs`);
const cruised = await cruise(rooms, { ...options, ruleSet, validate: true }, undefined, {
  tsConfig: extractTSConfig('tsconfig.json'),
});
const result = cruised.output as ICruiseResult;
const report = await format(result, { outputType: 'err' });
console.log(report.output);

const circle = findCircle(result.modules, 'server/modules/');
if (circle !== undefined) console.error(`Modules need each other: ${circle}`);

const faults = checkOwnership();
for (const fault of faults) console.error(fault);

// With a compiler that it does not know, dependency-cruiser finds no modules, and nothing wrong in none.
const json = await cruise(['server/entry/serve.ts'], { ...options, outputType: 'json' });
const { modules } = JSON.parse(json.output as string) as { modules: { source: string }[] };
const isFollowed = modules.some(({ source }) => source.startsWith('server/platform/'));
if (!isFollowed) console.error('Nothing was cruised from server/entry/serve.ts.');
const isSound = report.exitCode === 0 && circle === undefined && faults.length === 0;
process.exitCode = isSound && isFollowed ? 0 : 1;
