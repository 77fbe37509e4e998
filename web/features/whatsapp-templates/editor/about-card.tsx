import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { namesIn, type ParameterFormat } from '#contracts/whatsapp-template-parts.ts';
import type { WhatsappTemplate, WhatsappTemplateCategory } from '#contracts/whatsapp-templates.ts';
import { controlClass } from '#web/shared/form/control-class.ts';
import { Field } from '#web/shared/form/field.tsx';
import { SelectInput } from '#web/shared/form/select-input.tsx';
import { paths } from '#web/shared/paths.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { categoryWords, languageName, templateLanguages } from '#web/shared/whatsapp-template/template-words.ts';
import type { BusinessAccount } from '../business-accounts.ts';
import { categories } from '../list/template-search.ts';
import { useCategoryPrices } from './category-prices.ts';
import type { TemplateDraft } from './draft.ts';
import { namesakesQuery } from './namesakes-query.ts';
import type { Editing } from './use-template-draft.ts';

const categoryHints = {
  marketing: 'Offers, news, anything meant to sell. WhatsApp may hold it back from people who get many.',
  utility: 'About something the person ordered or asked for. No offers.',
  authentication: 'A code to sign in with. WhatsApp writes the text.',
} as const;

type AboutCardProps = {
  editing: Editing;
  accounts: readonly BusinessAccount[];
  /** A template that exists keeps its name, language and account; an approved one its category, too. */
  template?: WhatsappTemplate | undefined;
};

export function AboutCard({ editing, accounts, template }: AboutCardProps) {
  const { draft, change, errorOf, isReadOnly } = editing;
  const isNew = template === undefined;
  const isCategoryFixed = isReadOnly || template?.status === 'approved';
  const { data: others = [] } = useQuery(namesakesQuery(draft));
  const siblings = others.filter(({ id }) => id !== template?.id);
  const taken = isNew ? siblings.map(({ language }) => language) : [];
  const { priceOf, place } = useCategoryPrices();
  const hasPrices = categories.some((category) => priceOf(category) !== undefined);
  const known = templateLanguages.includes(draft.language) || draft.language === '' ? [] : [draft.language];
  return (
    <Card title="What it is">
      <div className="grid gap-5">
        {isNew && accounts.length > 1 && (
          <Field label="Business account" error={errorOf('account')}>
            {(control) => (
              <SelectInput
                {...control}
                placeholder="Choose a business account"
                value={draft.account}
                onChange={({ target }) => change({ account: target.value })}
                options={accounts.map(({ id, name }) => ({ value: id, label: `${name} (${id})` }))}
              />
            )}
          </Field>
        )}
        <div className="grid gap-5 sm:grid-cols-2">
          <Field
            label="Name"
            error={errorOf('name')}
            hint={isNew ? 'Small letters, digits and _. It cannot be changed later.' : 'It cannot be changed.'}
          >
            {(control) => (
              <input
                {...control}
                value={draft.name}
                disabled={!isNew}
                maxLength={512}
                autoComplete="off"
                spellCheck={false}
                placeholder="order_ready"
                onChange={({ target }) => change({ name: nameFrom(target.value) })}
                className={clsx(controlClass, 'h-(--control) px-3 font-mono text-13')}
              />
            )}
          </Field>
          <Field label="Language" error={errorOf('language')} hint={<Siblings siblings={siblings} />}>
            {(control) => (
              <SelectInput
                {...control}
                placeholder="Choose a language"
                value={draft.language}
                disabled={!isNew}
                onChange={({ target }) => change({ language: target.value })}
                options={[...known, ...templateLanguages].map((code) => ({
                  value: code,
                  label: languageName(code),
                  disabled: taken.includes(code),
                }))}
              />
            )}
          </Field>
        </div>
        <fieldset disabled={isCategoryFixed} className="grid gap-2">
          <legend className="mb-1.5 text-13 font-medium">Category</legend>
          {categories.map((category) => (
            <label
              key={category}
              className={clsx(
                'grid grid-cols-[auto_1fr_auto] gap-x-3 rounded-base border px-3.5 py-2.5',
                draft.category === category ? 'border-accent bg-accent-subtle' : 'border-control',
                !isCategoryFixed && 'cursor-pointer',
              )}
            >
              <input
                type="radio"
                name="category"
                className="mt-1"
                checked={draft.category === category}
                onChange={() => change({ category, ...(isNew && { format: formatFor(category, draft) }) })}
              />
              <b className="font-medium">{categoryWords[category]}</b>
              <span className="text-13 text-muted tabular-nums">{priceOf(category)}</span>
              <span className="col-span-2 col-start-2 text-13 text-pretty text-muted">{categoryHints[category]}</span>
            </label>
          ))}
          <p className="text-13 text-pretty text-muted">
            {hasPrices && `Prices are those of one delivered message to ${place}, from your price list. `}
            {template?.status === 'approved'
              ? 'The category of an approved template stays; WhatsApp alone moves it, a day after saying so.'
              : 'WhatsApp reads the text and may move it to another category: prices and rules follow it.'}
          </p>
        </fieldset>
      </div>
    </Card>
  );
}

/** The variable of a code is counted; those of a text are named, unless its own are counted. */
function formatFor(category: WhatsappTemplateCategory, { headerText, body }: TemplateDraft): ParameterFormat {
  if (category === 'authentication') return 'positional';
  const names = namesIn(`${headerText} ${body}`);
  return names.length > 0 && names.every((name) => /^\d+$/.test(name)) ? 'positional' : 'named';
}

/** `Order ready!` is typed; `order_ready_` is a name. */
const nameFrom = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9_]+/g, '_');

function Siblings({ siblings }: { siblings: readonly WhatsappTemplate[] }) {
  if (siblings.length === 0) return 'The one it is written in.';
  return (
    <>
      Also there:{' '}
      {siblings.map(({ id, language }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link
            to={paths.whatsappTemplate}
            params={{ whatsappTemplateId: String(id) }}
            className="text-accent-ink underline"
          >
            {languageName(language)}
          </Link>
        </span>
      ))}
    </>
  );
}
