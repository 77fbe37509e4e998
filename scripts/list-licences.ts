/** `npm run licences`: the packages that the product runs with by their licence, from the lock file in the working directory. */
import { readFileSync } from 'node:fs';

type Locked = { version?: string; license?: string; dev?: boolean };

/** Known and judged: what another one asks of us is to be read before it is added here. */
const judged =
  /^(MIT|MIT-0|ISC|0BSD|Unlicense|BSD-2-Clause|BSD-3-Clause|MPL-2\.0|Apache-2\.0|BlueOak-1\.0\.0|(Apache-2\.0 AND )?LGPL-3\.0-or-later( AND MIT)?)$/;
/** Its licence reaches into what is distributed with it: see LICENSE. */
const exceptions = ['libsignal'];

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Locked> };
const used = Object.entries(packages)
  .filter(([path, { dev }]) => path !== '' && dev !== true)
  .map(([path, { version = '', license = 'none' }]) => ({
    name: path.replace(/^.*node_modules\//, ''),
    version,
    license,
  }));
for (const [license, ofLicence] of [...Map.groupBy(used, ({ license: each }) => each)].toSorted(([a], [b]) =>
  a.localeCompare(b),
)) {
  console.log(`${license}: ${ofLicence.map(({ name, version }) => `${name} ${version}`).join(', ')}`);
}
const unjudged = used.filter(({ name, license }) => !judged.test(license) && !exceptions.includes(name));
for (const { name, license } of unjudged) console.error(`${name} is under ${license}, which nobody has judged`);
process.exitCode = unjudged.length === 0 ? 0 : 1;
