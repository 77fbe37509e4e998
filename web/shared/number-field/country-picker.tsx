import { ChevronDown } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import { SearchList } from '../form/search-list.tsx';
import { Flag } from './flag.tsx';
import { countryName } from './country-name.ts';
import { useCountryOptions } from './use-country-options.tsx';

type CountryPickerProps = {
  /** Shown on the button: that of the number, or the one that is chosen. */
  country: string | null;
  /** The account's; first in the list. */
  defaultCountry: string | null;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  onChoose: (country: string) => void;
};

/** The flag before a number; opens the list of countries, found by name, code or calling code. */
export function CountryPicker({ country, defaultCountry, isOpen, onOpenChange, onChoose }: CountryPickerProps) {
  const [search, setSearch] = useState('');
  const options = useCountryOptions(search, defaultCountry);
  return (
    <Popover.Root
      open={isOpen}
      onOpenChange={(isWanted) => {
        setSearch('');
        onOpenChange(isWanted);
      }}
    >
      <Popover.Trigger asChild>
        <button
          type="button"
          aria-label={country === null ? 'Country' : `Country: ${countryName(country)}`}
          className="order-first flex h-full shrink-0 items-center gap-1.5 rounded-l-base border-r border-line pr-2 pl-2.5 text-muted hover:bg-hover focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-focus"
        >
          <Flag country={country} />
          <ChevronDown aria-hidden="true" className="size-3.5" />
        </button>
      </Popover.Trigger>
      {/* Beside the field, not in a portal: what belongs to a dialog stays in it. */}
      <Popover.Content
        aria-label="Countries"
        align="start"
        sideOffset={4}
        collisionPadding={8}
        className="z-60 w-72 max-w-[calc(100vw-2rem)] animate-fade-in rounded-base bg-raised p-1.5 shadow-popover"
      >
        <SearchList
          label="Countries"
          search={search}
          onSearch={setSearch}
          options={options}
          chosen={country === null ? [] : [country]}
          onChoose={({ value }) => {
            onChoose(value);
            onOpenChange(false);
          }}
        />
      </Popover.Content>
    </Popover.Root>
  );
}
