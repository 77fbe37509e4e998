import { Globe } from 'lucide-react';

// A file each, asked for when it comes into view: all of them are 145 kB.
const files: Readonly<Record<string, string>> = import.meta.glob<string>(
  '../../../node_modules/country-flag-icons/3x2/*.svg',
  { query: '?url', import: 'default', eager: true },
);

const fileOf = (country: string) => files[`../../../node_modules/country-flag-icons/3x2/${country}.svg`];

/** A country's flag, two letters; a globe where there is none. The country is named beside it. */
export function Flag({ country }: { country: string | null }) {
  const file = country === null ? undefined : fileOf(country);
  if (file === undefined) return <Globe aria-hidden="true" className="size-4 shrink-0 text-muted" />;
  return (
    <img
      src={file}
      alt=""
      width={20}
      height={14}
      loading="lazy"
      className="h-3.5 w-5 shrink-0 rounded-xs object-cover ring-1 ring-ink/15"
    />
  );
}
