import { useQuery } from '@tanstack/react-query';
import type { Expression, MessageLeaf } from '#contracts/expressions.ts';
import { expressionWords } from '#web/shared/conditions/expression-words.ts';
import { useExpressionNames } from '#web/shared/conditions/use-expression-names.ts';
import { Field } from '#web/shared/form/field.tsx';
import { Picker } from '#web/shared/form/picker.tsx';
import { SelectInput } from '#web/shared/form/select-input.tsx';
import { topicsQuery } from '#web/shared/topics/topics-query.ts';
import { SegmentList, useSegmentName } from '#web/shared/pick/segment-list.tsx';
import { useBuilder, useLineChange } from './builder-context.ts';
import { BetweenFields, CountInput, UnitInput } from './count-inputs.tsx';
import type { FieldDraft, LeafDraft, LineDraft, MessageDraft } from './draft.ts';
import { EventLine } from './event-line.tsx';
import { PathInput, ValueInput } from './field-inputs.tsx';
import { FieldReading, operatorsFor, useTypedField } from './field-reading.tsx';
import { operatorChoice, operatorValue } from './operator-choices.ts';

type LineProps<Leaf extends LeafDraft> = {
  line: LineDraft;
  leaf: Leaf;
  /** Of the leaf itself. */
  path: string;
};

/** The fields of a condition, by its kind. */
export function LineFields({ line, path }: { line: LineDraft; path: string }) {
  const at = line.isNot ? `${path}.not` : path;
  const { leaf } = line;
  switch (leaf.what) {
    case 'field':
      return <FieldLine line={line} leaf={leaf} path={at} />;
    case 'message':
      return <MessageLine line={line} leaf={leaf} path={at} />;
    case 'event':
      return <EventLine line={line} leaf={leaf} path={at} />;
    case 'segment':
      return <SegmentLine line={line} leaf={leaf} path={at} />;
    case 'topic':
      return <TopicLine line={line} leaf={leaf} path={at} />;
    case 'share':
      return <ShareLine line={line} leaf={leaf} path={at} />;
    case 'kept':
      return <KeptLine expression={line.isNot ? { not: leaf.leaf } : leaf.leaf} />;
  }
}

/** A condition that the form has no fields for stays as it is. */
function KeptLine({ expression }: { expression: Expression }) {
  const names = useExpressionNames(expression);
  return <p className="text-13 wrap-anywhere">{expressionWords(expression, names)}</p>;
}

const rowClass = 'grid grid-cols-[minmax(0,1fr)] gap-2 sm:grid-cols-3';

function FieldLine(props: LineProps<FieldDraft>) {
  const { line, leaf, path } = props;
  const { errorAt } = useBuilder();
  const change = useLineChange(props);
  const chosen = operatorValue(leaf.op, line.isNot);
  // The list has no opposite of `is more than`, nor what does not fit the field's type, but both may be there.
  const kept =
    chosen === undefined
      ? { value: 'other', label: `not: ${operatorChoice(leaf.op)?.label ?? ''}` }
      : { value: chosen, label: operatorChoice(chosen)?.label ?? chosen };
  const typed = useTypedField(leaf.field);
  const groups = operatorsFor(typed?.type);
  const isOffered = groups.some(({ choices }) => choices.some(({ value }) => value === chosen));
  return (
    <>
      <div className={rowClass}>
        <Field label="Field" quietLabel error={errorAt(`${path}.field`)}>
          {(control) => <PathInput {...control} value={leaf.field} onChange={(field) => change({ field })} />}
        </Field>
        <Field label="Operator" quietLabel error={errorAt(`${path}.op`)}>
          {(control) => (
            <SelectInput
              {...control}
              value={chosen ?? 'other'}
              options={[
                ...(isOffered ? [] : [kept]),
                ...groups.map(({ label, choices }) => ({ label, options: choices })),
              ]}
              onChange={(event) => {
                const choice = operatorChoice(event.target.value);
                if (choice) change({ op: choice.op }, choice.isNot);
              }}
            />
          )}
        </Field>
        <FieldOperand {...props} />
      </div>
      {typed && <FieldReading field={typed} />}
    </>
  );
}

function FieldOperand(props: LineProps<FieldDraft>) {
  const { leaf, path } = props;
  const { errorAt } = useBuilder();
  const change = useLineChange(props);
  const valueError = errorAt(`${path}.value`);
  switch (leaf.op) {
    case 'exists':
      return null;
    case 'within_last':
    case 'more_than_ago':
    case 'within_next':
    case 'anniversary_in':
      return (
        <div className="grid grid-cols-2 gap-2">
          <Field label="How many" quietLabel error={errorAt(`${path}.n`)}>
            {(control) => <CountInput {...control} value={leaf.n} onChange={(n) => change({ n })} />}
          </Field>
          <Field label="Unit" quietLabel error={errorAt(`${path}.unit`)}>
            {(control) => <UnitInput {...control} value={leaf.unit} onChange={(unit) => change({ unit })} />}
          </Field>
        </div>
      );
    case 'between':
      return (
        <div className="grid grid-cols-2 gap-2">
          <Field label="From" quietLabel error={errorAt(`${path}.value.0`) ?? valueError}>
            {(control) => (
              <ValueInput
                {...control}
                path={leaf.field}
                value={leaf.value}
                onChange={(value) => change({ value })}
                placeholder="from"
              />
            )}
          </Field>
          <Field label="To" quietLabel error={errorAt(`${path}.value.1`)}>
            {(control) => (
              <ValueInput
                {...control}
                path={leaf.field}
                value={leaf.second}
                onChange={(second) => change({ second })}
                placeholder="to"
              />
            )}
          </Field>
        </div>
      );
    default:
      return (
        <Field label="Value" quietLabel error={valueError ?? errorAt(`${path}.value.0`)}>
          {(control) => (
            <ValueInput
              {...control}
              path={leaf.field}
              isList={leaf.op === 'in'}
              value={leaf.value}
              onChange={(value) => change({ value })}
              placeholder={placeholders[leaf.op]}
            />
          )}
        </Field>
      );
  }
}

const placeholders: Readonly<Record<string, string>> = {
  in: 'Pro, Team',
  gt: '50 or 2026-01-31',
  lt: '50 or 2026-01-31',
};

const states: readonly { value: string; label: string; state: MessageLeaf['state']; isMissed: boolean }[] = [
  { value: 'sent', label: 'was sent', state: 'sent', isMissed: false },
  { value: 'delivered', label: 'received', state: 'delivered', isMissed: false },
  { value: 'not delivered', label: 'was sent, but did not receive', state: 'delivered', isMissed: true },
  { value: 'read', label: 'read', state: 'read', isMissed: false },
  { value: 'not read', label: 'was sent, but did not read', state: 'read', isMissed: true },
  { value: 'replied', label: 'answered', state: 'replied', isMissed: false },
  { value: 'not replied', label: 'was sent, but did not answer', state: 'replied', isMissed: true },
  { value: 'clicked', label: 'opened a link of', state: 'clicked', isMissed: false },
  { value: 'not clicked', label: 'was sent, but opened no link of', state: 'clicked', isMissed: true },
  { value: 'failed', label: 'could not be sent', state: 'failed', isMissed: false },
];

function MessageLine(props: LineProps<MessageDraft>) {
  const { line, leaf, path } = props;
  const { errorAt } = useBuilder();
  const change = useLineChange(props);
  const chosen = states.find(({ state, isMissed }) => state === leaf.state && isMissed === leaf.isMissed);
  return (
    <div className={rowClass}>
      <Field label="What happened" quietLabel>
        {(control) => (
          <SelectInput
            {...control}
            value={`${line.isNot ? 'never ' : ''}${chosen?.value ?? 'sent'}`}
            options={[
              ...states,
              ...states
                .filter(({ isMissed }) => !isMissed)
                .map((each) => ({ value: `never ${each.value}`, label: `never: ${each.label}` })),
            ]}
            onChange={(event) => {
              const isNot = event.target.value.startsWith('never ');
              const state = states.find(({ value }) => value === event.target.value.replace('never ', ''));
              if (state) change({ state: state.state, isMissed: state.isMissed }, isNot);
            }}
          />
        )}
      </Field>
      <Field label="Of what" quietLabel error={errorAt(`${path}.message.of`)}>
        {(control) => (
          <SelectInput
            {...control}
            value={`${leaf.isLast ? 'last ' : ''}${leaf.of}`}
            options={sources}
            onChange={(event) => {
              const isLast = event.target.value.startsWith('last ');
              change({ isLast, of: event.target.value.replace('last ', '') as MessageDraft['of'] });
            }}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <BetweenFields>in the last</BetweenFields>
        <div className="min-w-16 flex-1">
          <Field
            label="In the last so many days"
            quietLabel
            error={errorAt(`${path}.window.last`) ?? errorAt(`${path}.window`)}
          >
            {(control) => (
              <CountInput {...control} value={leaf.days} onChange={(days) => change({ days })} placeholder="any" />
            )}
          </Field>
        </div>
        <BetweenFields>days</BetweenFields>
      </div>
    </div>
  );
}

const sources = [
  { value: 'campaign', label: 'any campaign' },
  { value: 'last campaign', label: 'their latest campaign' },
  { value: 'flow', label: 'any flow' },
  { value: 'last flow', label: 'their latest flow message' },
  { value: 'any', label: 'any campaign or flow' },
  { value: 'last any', label: 'the latest of either' },
];

function SegmentLine(props: LineProps<Extract<LeafDraft, { what: 'segment' }>>) {
  const { line, leaf, path } = props;
  const { errorAt } = useBuilder();
  const change = useLineChange(props);
  const name = useSegmentName(leaf.segment);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
      <Field label="In it or not" quietLabel>
        {(control) => (
          <SelectInput
            {...control}
            value={line.isNot ? 'not' : 'in'}
            options={[
              { value: 'in', label: 'is in' },
              { value: 'not', label: 'is not in' },
            ]}
            onChange={(event) => change({}, event.target.value === 'not')}
          />
        )}
      </Field>
      <Field label="Segment" quietLabel error={errorAt(`${path}.segment`)}>
        {(control) => (
          <Picker
            {...control}
            value={leaf.segment === undefined ? undefined : (name ?? `#${leaf.segment}`)}
            placeholder="Choose a segment"
          >
            {(close) => (
              <SegmentList
                chosenId={leaf.segment}
                onChoose={({ id }) => {
                  change({ segment: id });
                  close();
                }}
              />
            )}
          </Picker>
        )}
      </Field>
    </div>
  );
}

const topicStates = [
  { value: 'receives', label: 'receives', state: 'receives', isNot: false },
  { value: 'not receives', label: 'does not receive', state: 'receives', isNot: true },
  { value: 'opted_in', label: 'has opted in to', state: 'opted_in', isNot: false },
  { value: 'not opted_in', label: 'has not opted in to', state: 'opted_in', isNot: true },
  { value: 'opted_out', label: 'has opted out of', state: 'opted_out', isNot: false },
  { value: 'not opted_out', label: 'has not opted out of', state: 'opted_out', isNot: true },
] as const;

function TopicLine(props: LineProps<Extract<LeafDraft, { what: 'topic' }>>) {
  const { line, leaf, path } = props;
  const { errorAt } = useBuilder();
  const change = useLineChange(props);
  const { data: topics = [] } = useQuery(topicsQuery());
  const isKnown = leaf.topic === undefined || topics.some(({ id }) => id === leaf.topic);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
      <Field label="Takes it or not" quietLabel>
        {(control) => (
          <SelectInput
            {...control}
            value={`${line.isNot ? 'not ' : ''}${leaf.state}`}
            options={[...topicStates]}
            onChange={(event) => {
              const chosen = topicStates.find(({ value }) => value === event.target.value);
              if (chosen) change({ state: chosen.state }, chosen.isNot);
            }}
          />
        )}
      </Field>
      <Field label="Topic" quietLabel error={errorAt(`${path}.topic`)}>
        {(control) => (
          <SelectInput
            {...control}
            value={leaf.topic === undefined ? '' : String(leaf.topic)}
            placeholder={topics.length === 0 ? 'No topics yet' : 'Choose a topic'}
            options={[
              ...topics.map(({ id, name }) => ({ value: String(id), label: name })),
              ...(isKnown ? [] : [{ value: String(leaf.topic), label: `Topic #${leaf.topic} (deleted)` }]),
            ]}
            onChange={(event) => change({ topic: event.target.value === '' ? undefined : Number(event.target.value) })}
          />
        )}
      </Field>
    </div>
  );
}

function ShareLine(props: LineProps<Extract<LeafDraft, { what: 'share' }>>) {
  const { line, leaf, path } = props;
  const { errorAt } = useBuilder();
  const change = useLineChange(props);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
      <Field label="In it or not" quietLabel>
        {(control) => (
          <SelectInput
            {...control}
            value={line.isNot ? 'not' : 'in'}
            options={[
              { value: 'in', label: 'is in a share of' },
              { value: 'not', label: 'is not in a share of' },
            ]}
            onChange={(event) => change({}, event.target.value === 'not')}
          />
        )}
      </Field>
      <Field
        label="Per cent, always the same people"
        hint="Per cent, by chance: always the same people."
        quietLabel
        error={errorAt(`${path}.bucket.to`)}
      >
        {(control) => <CountInput {...control} value={leaf.percent} onChange={(percent) => change({ percent })} />}
      </Field>
    </div>
  );
}
