import { useState, type ComponentProps } from 'react';
import { Picker } from '../form/picker.tsx';
import { SearchList } from '../form/search-list.tsx';
import { countryName } from './country-name.ts';
import { useCountryOptions } from './use-country-options.tsx';

type CountrySelectProps = Omit<ComponentProps<typeof Picker>, 'value' | 'children' | 'placeholder'> & {
  /** Two letters. */
  country: string | null;
  /** Says that no country is chosen. */
  none: string;
  onCountry: (country: string | null) => void;
};

const noCountry = 'none';

/** A field that chooses one country or none, found by name, code or calling code. */
export function CountrySelect({ country, none, onCountry, ...control }: CountrySelectProps) {
  const [search, setSearch] = useState('');
  const countries = useCountryOptions(search, country);
  return (
    <Picker {...control} value={country === null ? undefined : countryName(country)} placeholder={none}>
      {(close) => (
        <SearchList
          label="Countries"
          search={search}
          onSearch={setSearch}
          options={search === '' ? [{ value: noCountry, label: none }, ...countries] : countries}
          chosen={[country ?? noCountry]}
          onChoose={({ value }) => {
            onCountry(value === noCountry ? null : value);
            setSearch('');
            close();
          }}
        />
      )}
    </Picker>
  );
}
