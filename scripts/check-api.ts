/** Lints the OpenAPI document by Redocly's strictest rule set, and checks that all that has a name is described. */
import { createConfig, lintFromString, stringifyYaml } from '@redocly/openapi-core';
import { documentedEndpoints, namedSchemas } from '#contracts/index.ts';
import { openApiDocument } from '#contracts/openapi.ts';
import { findUndescribed } from './api-document/find-undescribed.ts';

const document = openApiDocument({
  endpoints: documentedEndpoints,
  schemas: namedSchemas,
  serverUrl: 'https://dovepost.invalid',
});

const config = await createConfig({
  extends: ['recommended-strict'],
  // A word of a path comes before a parameter there: `/profiles/imports/{importId}` is no profile.
  rules: { 'no-ambiguous-paths': 'off' },
});
const problems = await lintFromString({ source: stringifyYaml(document), config });
const faults = [
  ...problems.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer ?? 'the whole document'})`,
  ),
  ...findUndescribed(document).map((place) => `not described: ${place}`),
];
for (const fault of faults.slice(0, 40)) console.error(fault);
console.log(`The API document has ${faults.length} faults.`);
process.exitCode = faults.length === 0 ? 0 : 1;
