import { useQuery } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ComponentProps } from 'react';
import type { EventProperty } from '#contracts/events.ts';
import { messageEvents } from '#contracts/message-events.ts';
import { callApi } from '#web/shared/api.ts';
import { eventLabel, fieldLabel } from '#web/shared/conditions/expression-words.ts';
import { eventNameQuery } from '#web/shared/events/event-name-query.ts';
import { hasPart } from '#web/shared/fold-text.ts';
import { Combobox } from '#web/shared/form/combobox.tsx';
import { Field } from '#web/shared/form/field.tsx';
import { SelectInput } from '#web/shared/form/select-input.tsx';
import { queryKeys } from '#web/shared/queries.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { useDebounced } from '#web/shared/use-debounced.ts';
import { useBuilder, useLineChange } from './builder-context.ts';
import { BetweenFields, CountInput, UnitInput } from './count-inputs.tsx';
import { emptyField, newProperty } from './draft.ts';
import type { EventDraft, FieldDraft, LineDraft, PropertyDraft } from './draft.ts';
import { operatorChoice, operatorGroups, operatorValue } from './operator-choices.ts';

const pauseMs = 150;

const often = [
  { value: '>=', label: 'at least' },
  { value: '=', label: 'exactly' },
  { value: '<', label: 'less than' },
] as const;

type EventProps = { line: LineDraft; leaf: EventDraft; path: string };

/** How often an event happened, when, and with which properties. */
export function EventLine({ line, leaf, path }: EventProps) {
  const { errorAt } = useBuilder();
  const set = useLineChange({ line, leaf });
  const setProperty = (id: number, by: PropertyDraft | undefined) =>
    set({ where: leaf.where.flatMap((each) => (each.id === id ? (by ?? []) : each)) });
  const properties = useProperties(leaf.event);
  return (
    <div className="@container grid min-w-0 gap-2">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2 @md:grid-cols-2 @min-[46rem]:grid-cols-[minmax(0,5fr)_minmax(0,6fr)_minmax(0,8fr)]">
        <Field label="Event" quietLabel error={errorAt(`${path}.event`)}>
          {(control) => <EventInput {...control} value={leaf.event} onChange={(event) => set({ event })} />}
        </Field>
        <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,1fr)] gap-2">
          <Field label="How often" quietLabel>
            {(control) => (
              <SelectInput
                {...control}
                value={`${line.isNot ? 'not ' : ''}${leaf.op}`}
                options={[
                  ...often,
                  ...often.map(({ value, label }) => ({ value: `not ${value}`, label: `not ${label}` })),
                ]}
                onChange={(event) => {
                  const op = often.find(({ value }) => value === event.target.value.replace('not ', ''))?.value;
                  if (op) set({ op }, event.target.value.startsWith('not '));
                }}
              />
            )}
          </Field>
          <Field label="Times" quietLabel error={errorAt(`${path}.times.n`)}>
            {(control) => <CountInput {...control} value={leaf.times} onChange={(times) => set({ times })} />}
          </Field>
        </div>
        <div className="flex flex-wrap gap-x-2 gap-y-1 @md:col-span-2 @min-[46rem]:col-span-1 @max-md:[&>span]:h-auto">
          <BetweenFields>{leaf.n.trim() === '' ? 'times' : 'times in the last'}</BetweenFields>
          <div className="grid min-w-46 flex-1 grid-cols-[minmax(4rem,1fr)_7rem] gap-2 @md:max-w-80 @min-[46rem]:max-w-none">
            <Field
              label="In the last so many"
              quietLabel
              error={errorAt(`${path}.window.last`) ?? errorAt(`${path}.window`)}
            >
              {(control) => (
                <CountInput {...control} value={leaf.n} onChange={(n) => set({ n })} placeholder="at any time" />
              )}
            </Field>
            <Field label="Unit" quietLabel>
              {(control) => <UnitInput {...control} value={leaf.unit} onChange={(unit) => set({ unit })} />}
            </Field>
          </div>
        </div>
      </div>
      {leaf.where.map((property, index) => (
        <PropertyLine
          key={property.id}
          property={property}
          path={`${path}.where.${index}${property.isNot ? '.not' : ''}`}
          properties={properties}
          onChange={(by) => setProperty(property.id, by)}
        />
      ))}
      <div>
        <Button
          size="small"
          variant="ghost"
          icon={<Plus aria-hidden="true" className="size-3.5" />}
          onClick={() =>
            set({
              where: [...leaf.where, newProperty({ ...emptyField, field: properties[0]?.path ?? 'properties.' })],
            })
          }
        >
          Property
        </Button>
      </div>
    </div>
  );
}

type InputProps = Omit<ComponentProps<typeof Combobox>, 'suggestions' | 'suggestionsLabel' | 'match' | 'onFocus'>;

/** An event of the account's people, by its name. */
function EventInput({ value, onChange, ...props }: InputProps) {
  const [search, setSearch] = useState('');
  const asked = useDebounced(search.trim(), pauseMs);
  const { data } = useQuery({
    queryKey: [...queryKeys.events, 'names', asked],
    queryFn: ({ signal }) => callApi('GET /api/event-names', { query: { search: asked, pageSize: 50 } }, { signal }),
  });
  const own = (data?.data ?? []).map(({ name, count }) => ({ value: name, aside: count.toLocaleString('en') }));
  const ofMessages = messageEvents
    .map((name) => ({ value: name as string, aside: eventLabel(name) }))
    .filter((each) => hasPart(each.value, search) || hasPart(each.aside, search));
  return (
    <Combobox
      {...props}
      value={value}
      onChange={(name) => {
        onChange(name);
        setSearch(name);
      }}
      onFocus={() => setSearch('')}
      match={search.trim()}
      suggestions={[...own, ...ofMessages]}
      suggestionsLabel="Events"
      placeholder="Order placed"
    />
  );
}

const ofMessages: readonly EventProperty[] = ['source', 'campaign_id', 'flow_id', 'bulk_run_id', 'message_id'].map(
  (name) => ({
    path: `properties.${name}`,
    types: [],
    samples: name === 'source' ? ['campaign', 'flow', 'bulk_run'] : [],
    share: 1,
  }),
);

/** The properties that an event came with of late. */
function useProperties(event: string): readonly EventProperty[] {
  const isOfMessages = event.startsWith('$');
  const name = useDebounced(event.trim(), pauseMs);
  const { data } = useQuery({ ...eventNameQuery(name), enabled: name !== '' && !isOfMessages });
  return isOfMessages ? ofMessages : (data?.properties ?? []);
}

type PropertyProps = {
  property: PropertyDraft;
  path: string;
  properties: readonly EventProperty[];
  onChange: (by: PropertyDraft | undefined) => void;
};

/** Operators with one value, or none: what else there is was made elsewhere. */
const groups = operatorGroups.map(({ label, choices }) => ({
  label,
  options: choices.filter(
    ({ op }) => !['between', 'within_last', 'more_than_ago', 'within_next', 'anniversary_in'].includes(op),
  ),
}));

function PropertyLine({ property, path, properties, onChange }: PropertyProps) {
  const { errorAt } = useBuilder();
  const { leaf } = property;
  const set = (changes: Partial<FieldDraft>, isNot = property.isNot) =>
    onChange({ ...property, isNot, leaf: { ...leaf, ...changes } });
  const chosen = operatorValue(leaf.op, property.isNot);
  const isOffered = groups.some(({ options }) => options.some(({ value }) => value === chosen));
  const samples = properties.find((each) => each.path === leaf.field)?.samples ?? [];
  const kept = { value: chosen ?? 'other', label: operatorChoice(leaf.op)?.label ?? leaf.op };
  return (
    <div className="flex min-w-0 items-start gap-2 border-l pl-3">
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-2 sm:grid-cols-3">
        <Field label="Property" quietLabel error={errorAt(`${path}.field`)}>
          {(control) => (
            <Combobox
              {...control}
              value={leaf.field}
              onChange={(field) => set({ field })}
              match=""
              suggestions={properties.map((each) => ({ value: each.path, aside: fieldLabel(each.path) }))}
              suggestionsLabel="Properties"
              placeholder="properties.total"
              className="font-mono text-13"
            />
          )}
        </Field>
        <Field label="Operator" quietLabel error={errorAt(`${path}.op`)}>
          {(control) => (
            <SelectInput
              {...control}
              value={chosen ?? 'other'}
              options={[...(isOffered ? [] : [kept]), ...groups.filter(({ options }) => options.length > 0)]}
              onChange={(event) => {
                const choice = operatorChoice(event.target.value);
                if (choice) set({ op: choice.op }, choice.isNot);
              }}
            />
          )}
        </Field>
        {isOffered && leaf.op !== 'exists' && (
          <Field label="Value" quietLabel error={errorAt(`${path}.value`) ?? errorAt(`${path}.value.0`)}>
            {(control) => (
              <Combobox
                {...control}
                value={leaf.value}
                onChange={(value) => set({ value })}
                match=""
                suggestions={samples.map((value) => ({ value }))}
                suggestionsLabel="Values"
              />
            )}
          </Field>
        )}
      </div>
      <IconButton
        label="Remove the property"
        icon={<Trash2 aria-hidden="true" className="size-4" />}
        onClick={() => onChange(undefined)}
      />
    </div>
  );
}
