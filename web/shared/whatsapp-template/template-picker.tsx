import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { partOf } from '#contracts/whatsapp-template-parts.ts';
import type { WhatsappTemplate } from '#contracts/whatsapp-templates.ts';
import { errorText } from '../api-error.ts';
import { Field } from '../form/field.tsx';
import { Picker } from '../form/picker.tsx';
import { SearchList } from '../form/search-list.tsx';
import { useDebounced } from '../use-debounced.ts';
import { approvedTemplatesQuery } from './template-queries.ts';
import { categoryWords, languageName } from './template-words.ts';

const pauseMs = 150;

type TemplatePickerProps = {
  projectId: number;
  value: Pick<WhatsappTemplate, 'name' | 'language' | 'business_account_id'> | undefined;
  onChoose: (template: WhatsappTemplate) => void;
  error?: string | undefined;
  disabled?: boolean;
};

/** A template with a place in its header takes a place with each message, which nothing here gives. */
const isSendable = (template: WhatsappTemplate) => partOf(template, 'HEADER')?.format?.toUpperCase() !== 'LOCATION';

const isSame = (template: WhatsappTemplate, value: TemplatePickerProps['value']) =>
  template.name === value?.name &&
  template.language === value.language &&
  template.business_account_id === value.business_account_id;

/** Chooses among the approved templates of the project's numbers. */
export function TemplatePicker({ projectId, value, onChoose, error, disabled = false }: TemplatePickerProps) {
  const [text, setText] = useState('');
  const search = useDebounced(text.trim(), pauseMs);
  const query = useQuery({ ...approvedTemplatesQuery(projectId, search), placeholderData: keepPreviousData });
  const templates = query.data?.data.filter(isSendable) ?? [];
  return (
    <Field label="Template" error={error}>
      {(control) => (
        <Picker
          {...control}
          disabled={disabled}
          placeholder="Choose an approved template"
          value={value && `${value.name} · ${languageName(value.language)}`}
        >
          {(close) => (
            <SearchList
              label="Templates"
              search={text}
              onSearch={setText}
              options={templates.map(({ id, name, language, category }) => ({
                value: String(id),
                label: name,
                aside: `${categoryWords[category]} · ${languageName(language)}`,
              }))}
              chosen={templates.filter((template) => isSame(template, value)).map(({ id }) => String(id))}
              onChoose={(option) => {
                const chosen = templates.find(({ id }) => String(id) === option.value);
                if (chosen !== undefined) onChoose(chosen);
                setText('');
                close();
              }}
              isLoading={query.isPending}
              isStale={query.isPlaceholderData || search !== text.trim()}
              problem={query.error === null ? undefined : errorText(query.error, 'Failed to load the templates')}
              empty={search === '' ? 'No template is approved yet' : 'No approved template matches'}
            />
          )}
        </Picker>
      )}
    </Field>
  );
}
