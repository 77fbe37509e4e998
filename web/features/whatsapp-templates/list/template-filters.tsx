import { ChoiceFilter } from '#web/shared/table/filter-chip.tsx';
import {
  categoryWords,
  languageName,
  templateLanguages,
  templateStatusWords,
} from '#web/shared/whatsapp-template/template-words.ts';
import type { BusinessAccount } from '../business-accounts.ts';
import { categories, statuses, type WhatsappTemplateSearch } from './template-search.ts';

type Filters = Pick<WhatsappTemplateSearch, 'status' | 'category' | 'language' | 'business_account_id'>;
type Changes = { [Name in keyof Filters]?: Filters[Name] | undefined };

type TemplateFiltersProps = {
  search: Filters;
  accounts: readonly BusinessAccount[];
  onChange: (changes: Changes) => void;
};

export function TemplateFilters({ search, accounts, onChange }: TemplateFiltersProps) {
  const { language } = search;
  const isUnusual = language !== undefined && !templateLanguages.includes(language);
  return (
    <>
      <ChoiceFilter
        label="Status"
        options={statuses.map((value) => ({ value, label: templateStatusWords[value].word }))}
        value={search.status}
        onChange={(chosen) => onChange({ status: statuses.find((each) => each === chosen) })}
      />
      <ChoiceFilter
        label="Category"
        options={categories.map((value) => ({ value, label: categoryWords[value] }))}
        value={search.category}
        onChange={(chosen) => onChange({ category: categories.find((each) => each === chosen) })}
      />
      <ChoiceFilter
        label="Language"
        options={[...(isUnusual ? [language] : []), ...templateLanguages].map((value) => ({
          value,
          label: languageName(value),
          aside: value,
        }))}
        value={language}
        onChange={(chosen) => onChange({ language: chosen })}
      />
      {(accounts.length > 1 || search.business_account_id !== undefined) && (
        <ChoiceFilter
          label="Business account"
          options={accounts.map(({ id, name }) => ({ value: id, label: name, aside: id }))}
          value={search.business_account_id}
          onChange={(chosen) => onChange({ business_account_id: chosen })}
        />
      )}
    </>
  );
}
