import { actsOf, productActs, targetTypes } from '#contracts/audit-acts.ts';
import { endpoints } from '#contracts/index.ts';
import { nearestName } from '#contracts/nearest-name.ts';
import { InvalidInputError } from '#server/platform/errors.ts';

const types: ReadonlySet<string> = new Set(targetTypes);
const acts: ReadonlySet<string> = new Set([...endpoints.flatMap(({ audit }) => actsOf(audit)), ...productActs]);

/** A misspelt action finds nothing, which reads as if nobody had done it. Throws 422 with the nearest one. */
export function requireKnownAction(action: string): void {
  const [type = '', done = ''] = action.split('.');
  if (done === '' ? types.has(type) : acts.has(action)) return;
  const nearest = done === '' ? nearestName(type, types) : nearestName(action, acts);
  const hint = nearest === undefined ? '' : `. Did you mean ${nearest}?`;
  throw new InvalidInputError([{ path: 'action', message: `Unknown action ${action.replace(/\.$/, '')}${hint}` }]);
}
