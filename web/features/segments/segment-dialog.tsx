import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Layers } from 'lucide-react';
import { useId } from 'react';
import { useWatch } from 'react-hook-form';
import { SegmentCondition } from '#contracts/conditions.ts';
import { expressionOf, type Expression } from '#contracts/expressions.ts';
import type { Segment } from '#contracts/segments.ts';
import { callApi } from '#web/shared/api.ts';
import { onlyChanged } from '#web/shared/form/only-changed.ts';
import { draftKeyOf } from '#web/shared/drafts/draft-key.ts';
import { expressionWords } from '#web/shared/conditions/expression-words.ts';
import { useExpressionNames } from '#web/shared/conditions/use-expression-names.ts';
import { useUnknownFields } from '#web/shared/conditions/use-unknown-fields.tsx';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { needsValue } from '#web/shared/conditions/condition-words.ts';
import { usePageName } from '#web/shared/page-name.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { ConditionFields, ConditionSegment, type SegmentForm } from './condition-fields.tsx';
import { SegmentPreview } from './segment-preview.tsx';
import { SegmentCards, UsageNote } from './segment-usage.tsx';

const emptyCondition = { fieldPath: '', operator: 'equals', value: '' } as const;

export type Grouped = { name: string; expression: Expression };

/** Clears the value of an operator that takes none. */
function withoutIdleValue({ name, condition }: ConditionSegment): ConditionSegment {
  return { name, condition: needsValue(condition.operator) ? condition : { ...condition, value: '' } };
}

type SegmentDialogProps = {
  segment?: Segment | undefined;
  onClose: () => void;
  /** Goes on with several conditions; what was typed is the first. */
  onGroup: (grouped: Grouped) => void;
};

/** Makes a segment of one condition, or changes the given one. */
export function SegmentDialog({ segment, onClose, onGroup }: SegmentDialogProps) {
  usePageName(segment?.name);
  const queryClient = useQueryClient();
  const form = useZodForm(ConditionSegment, {
    name: segment?.name ?? '',
    condition: segment?.condition ?? emptyCondition,
  });
  const [name, fieldPath, operator] = useWatch({
    control: form.control,
    name: ['name', 'condition.fieldPath', 'condition.operator'],
  });
  const { dirtyFields } = form.formState;
  const save = useMutation({
    mutationFn: (body: ConditionSegment & { allow_unknown?: true }) =>
      segment === undefined
        ? callApi('POST /api/segments', { body })
        : callApi('PUT /api/segments/{segmentId}', {
            params: { segmentId: segment.id },
            body: onlyChanged(body, { ...dirtyFields, allow_unknown: true }),
          }),
    onSuccess: () => {
      notify.success(segment === undefined ? 'Segment created' : 'Segment updated');
      return queryClient.invalidateQueries({ queryKey: queryKeys.segments });
    },
  });
  const unknownFields = useUnknownFields();

  function group(): void {
    const { name: typedName, condition } = form.getValues();
    const read = SegmentCondition.safeParse(condition);
    const first: Expression = read.success ? expressionOf(read.data) : { field: fieldPath, op: 'equals', value: '' };
    onGroup({ name: typedName, expression: { all: [first] } });
  }

  return (
    <FormDialog
      onClose={onClose}
      size="wide"
      title={segment === undefined ? 'New Segment' : 'Edit Segment'}
      form={form}
      onSubmit={(values) =>
        unknownFields.save((allowed) => save.mutateAsync({ ...withoutIdleValue(values), ...allowed }))
      }
      canSubmit={name.trim() !== '' && fieldPath.trim() !== '' && Boolean(operator)}
      submitLabel={segment === undefined ? 'Create Segment' : 'Save Changes'}
      busyLabel={segment === undefined ? 'Creating...' : 'Saving...'}
      failureText="Failed to save segment"
      needs="contacts:write"
      draft={{ kind: 'segment', key: draftKeyOf({ edited: segment }) }}
      question={unknownFields.question}
      aside={
        <div className="grid content-start gap-4 px-5 py-5 sm:gap-6 sm:px-6 lg:min-h-96">
          <SegmentPreview form={form} segment={segment} />
          <InWords form={form} />
          {segment && <SegmentCards segmentId={segment.id} />}
        </div>
      }
      renderFooterStart={(forget) => (
        <Button
          icon={<Layers aria-hidden="true" className="size-4" />}
          onClick={() => {
            void forget();
            group();
          }}
        >
          Several conditions
        </Button>
      )}
    >
      <TextField
        form={form}
        name="name"
        label="Name"
        required
        autoComplete="off"
        maxLength={120}
        placeholder="Installed users"
      />
      <ConditionFields form={form} />
      {segment && <UsageNote segmentId={segment.id} />}
    </FormDialog>
  );
}

/** The condition as the list and its readers have it. */
function InWords({ form }: { form: SegmentForm }) {
  const titleId = useId();
  const condition = useWatch({ control: form.control, name: 'condition' });
  const read = SegmentCondition.safeParse(condition);
  const expression = read.success ? expressionOf(read.data) : null;
  const names = useExpressionNames(expression);
  return (
    <section aria-labelledby={titleId} className="grid gap-1.5 text-13">
      <h3 id={titleId}>In words</h3>
      <p className="text-pretty wrap-anywhere">
        {expression === null ? 'Choose a field first.' : `People whose ${expressionWords(expression, names)}.`}
      </p>
    </section>
  );
}
