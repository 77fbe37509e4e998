import { useNumberPlans } from '../number-plans.ts';
import { PhoneText } from '../ui/phone-text.tsx';
import { countryName } from './country-name.ts';
import { Flag } from './flag.tsx';

/** A number for reading, after the flag of its country. `digits` carry the calling code. */
export function FlaggedPhone({ digits }: { digits: string }) {
  const country = useNumberPlans()?.read(`+${digits}`)?.country ?? null;
  return (
    <span className="inline-flex items-center gap-1.5" title={country === null ? undefined : countryName(country)}>
      <Flag country={country} />
      <PhoneText digits={digits} />
    </span>
  );
}
