import { useMutation, useQueries, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { get, useFormState, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { GivenExpression, nodesOf, type Expression } from '#contracts/expressions.ts';
import { NewSegment, type Segment } from '#contracts/segments.ts';
import { callApi } from '#web/shared/api.ts';
import { useUnknownFields } from '#web/shared/conditions/use-unknown-fields.tsx';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { notify } from '#web/shared/ui/toast-store.ts';
import { segmentQuery } from '../segment-queries.ts';
import { BuilderContext } from './builder-context.ts';
import { draftOf, expressionOfDraft, replaced } from './draft.ts';
import type { Draft } from './draft.ts';
import { ExpressionGroup } from './expression-builder.tsx';
import { ExpressionPreview, useExpressionPreview } from './expression-preview.tsx';

const ExpressionSegment = z.object({ name: NewSegment.shape.name, expression: GivenExpression });

type ExpressionDialogProps = {
  segment?: Segment | undefined;
  /** The initial values of the form. */
  name: string;
  expression: Expression;
  onClose: () => void;
};

/** Makes a segment of several conditions in groups, or changes it. */
export function ExpressionDialog({ segment, name, expression: first, onClose }: ExpressionDialogProps) {
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState(() => draftOf(first));
  const form = useZodForm(ExpressionSegment, { name, expression: expressionOfDraft(draft) });
  const { errors } = useFormState({ control: form.control });
  const typedName = useWatch({ control: form.control, name: 'name' });
  const expression = useMemo(() => expressionOfDraft(draft), [draft]);
  const found = useExpressionPreview(expression);
  const names = useSegmentNames(expression);
  const unknownFields = useUnknownFields();
  const save = useMutation({
    mutationFn: (body: z.output<typeof ExpressionSegment> & { allow_unknown?: true }) =>
      segment === undefined
        ? callApi('POST /api/segments', { body })
        : callApi('PUT /api/segments/{segmentId}', { params: { segmentId: segment.id }, body }),
    onSuccess: () => {
      notify.success(segment === undefined ? 'Segment created' : 'Segment updated');
      return queryClient.invalidateQueries({ queryKey: queryKeys.segments });
    },
  });

  function change(id: number, by: Draft | undefined): void {
    const next = replaced(draft, id, by);
    setDraft(next);
    form.clearErrors('expression');
    form.setValue('expression', expressionOfDraft(next), { shouldDirty: true });
  }

  const lines = found.preview?.lines;
  const builder = {
    change,
    countAt: (path: string) => lines?.find((line) => line.path === path),
    errorAt(path: string): string | undefined {
      const message: unknown = get(errors, `${path}.message`) ?? get(errors, `${path}.root.message`);
      return typeof message === 'string' ? message : undefined;
    },
  };

  return (
    <FormDialog
      onClose={onClose}
      size="large"
      title={segment === undefined ? 'New Segment' : 'Edit Segment'}
      form={form}
      onSubmit={(values) => unknownFields.save((allowed) => save.mutateAsync({ ...values, ...allowed }))}
      canSubmit={typedName.trim() !== ''}
      submitLabel={segment === undefined ? 'Create Segment' : 'Save Changes'}
      busyLabel={segment === undefined ? 'Creating...' : 'Saving...'}
      failureText="Failed to save segment"
      question={unknownFields.question}
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
      <BuilderContext value={builder}>
        <ExpressionGroup group={draft} path="expression" />
      </BuilderContext>
      <ExpressionPreview expression={expression} found={found} segmentName={(id) => names.get(id)} />
    </FormDialog>
  );
}

/** The names of the segments in the expression. */
function useSegmentNames(expression: Expression): ReadonlyMap<number, string> {
  const ids = [...new Set(nodesOf(expression).flatMap(({ node }) => ('segment' in node ? [node.segment] : [])))];
  const found = useQueries({ queries: ids.filter((id) => id > 0).map((id) => segmentQuery(id)) });
  return new Map(found.flatMap(({ data }) => (data ? [[data.id, data.name] as const] : [])));
}
