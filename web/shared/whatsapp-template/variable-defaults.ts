import type { Profile } from '#contracts/profiles.ts';
import type { TemplateVariable } from '#contracts/whatsapp-template-parts.ts';

/** Meta takes no line breaks, no tabs and at most four spaces in a row. */
const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/** The values that the variables' names ask for, as far as the profile has them. */
export function variableDefaults(variables: readonly TemplateVariable[], profile: Profile | undefined) {
  if (profile === undefined) return {};
  const known = knownOf(profile);
  return Object.fromEntries(
    variables.flatMap(({ name }): [string, string][] => {
      const value = oneLine(known.get(name.toLowerCase()) ?? '');
      return value === '' ? [] : [[name, value]];
    }),
  );
}

function knownOf({ name, email, phone, custom_fields: fields }: Profile): ReadonlyMap<string, string> {
  const [first = '', ...rest] = (name ?? '').trim().split(/\s+/);
  const custom = Object.entries(fields ?? {}).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' || typeof value === 'number' ? [[variableName(key), String(value)]] : [],
  );
  return new Map([
    ...custom,
    ['name', name ?? ''],
    ['full_name', name ?? ''],
    ['first_name', first],
    ['last_name', rest.join(' ')],
    ['email', email ?? ''],
    ['phone', phone === null ? '' : `+${phone}`],
  ]);
}

/** `Order number` → `order_number`, as variables are named. */
const variableName = (key: string) => key.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');
