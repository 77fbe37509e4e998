import { useNavigate } from '@tanstack/react-router';
import { countryName } from '#web/shared/number-field/country-name.ts';
import { Flag } from '#web/shared/number-field/flag.tsx';
import { readTyped } from '#web/shared/number-field/read-typed.ts';
import { useNumberPlans } from '#web/shared/number-plans.ts';
import { paths } from '#web/shared/paths.ts';
import { usePhoneFormat } from '#web/shared/phone-format.ts';
import { useSession } from '#web/shared/session.ts';
import type { Command } from './commands.tsx';

/** A number that is typed can be written to, in each country that it may be of. */
export function useNumberCommands(query: string, projectId: number | null): Command[] {
  const navigate = useNavigate();
  const plans = useNumberPlans();
  const format = usePhoneFormat();
  const defaultCountry = useSession().user?.default_country ?? null;
  if (projectId === null || plans === undefined || !/^[\s+\d().\-/]{6,40}$/.test(query)) return [];
  const typed = readTyped({ text: query, country: null, defaultCountry }, plans);
  const readings =
    typed.kind === 'read'
      ? [typed.reading, ...(typed.other ? [typed.other] : [])]
      : typed.kind === 'asked'
        ? typed.suggestions
        : typed.kind === 'unlikely'
          ? [typed.reading]
          : [];
  return readings.map(({ number, country }) => ({
    id: `write:${number}`,
    label: `Write to ${format(number)}`,
    ...(country !== null && { aside: countryName(country) }),
    icon: <Flag country={country} />,
    run: () => void navigate({ to: paths.inbox, state: { isNewWanted: true, newNumber: `+${number}` } }),
  }));
}
