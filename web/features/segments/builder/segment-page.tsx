import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { get, useFormState, useWatch } from 'react-hook-form';
import { z } from 'zod';
import type { Expression } from '#contracts/expressions.ts';
import { GivenExpression } from '#contracts/given-expression.ts';
import { NewSegment, type Segment } from '#contracts/segments.ts';
import { callApi } from '#web/shared/api.ts';
import { onlyChanged } from '#web/shared/form/only-changed.ts';
import { useUnknownFields } from '#web/shared/conditions/use-unknown-fields.tsx';
import { useExpressionNames } from '#web/shared/conditions/use-expression-names.ts';
import { FormPage } from '#web/shared/form/form-page.tsx';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { usePageName } from '#web/shared/page-name.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { HistoryLink } from '#web/shared/ui/history-link.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { BuilderContext } from '#web/shared/builder/builder-context.ts';
import { draftOf, expressionOfDraft, replaced } from '#web/shared/builder/draft.ts';
import type { Draft, GroupDraft } from '#web/shared/builder/draft.ts';
import { ExpressionGroup } from '#web/shared/builder/expression-builder.tsx';
import { ExpressionPreview, useExpressionPreview } from '#web/shared/builder/expression-preview.tsx';
import { SegmentCards } from '../segment-usage.tsx';
import { ExpressionTally } from './expression-tally.tsx';
import { StartingPoints } from './starting-points.tsx';

/** As the form has it the expression is text: a draft of it may have any shape, and errors name places in it. */
const GroupedSegment = z.object({
  name: NewSegment.shape.name,
  expression: z
    .string()
    .transform((text) => JSON.parse(text) as unknown)
    .pipe(GivenExpression),
});

type SegmentPageProps = {
  segment?: Segment | undefined;
  /** The initial values of the form. */
  name: string;
  expression: Expression;
  /** As it was typed elsewhere: not saved yet, and kept as a draft. */
  typed?: { name: string; expression: Expression } | undefined;
  onClose: () => void;
};

/** Makes a segment of several conditions in groups, or changes it, on a page of its own. */
export function SegmentPage({ segment, name, expression: first, typed, onClose }: SegmentPageProps) {
  const queryClient = useQueryClient();
  usePageName(segment?.name);
  const form = useZodForm(GroupedSegment, { name, expression: JSON.stringify(first) });
  const { errors, isDirty, dirtyFields } = useFormState({ control: form.control });
  const [typedName, text] = useWatch({ control: form.control, name: ['name', 'expression'] });
  const [draft, setDraft] = useDraft(text);
  const expression = useMemo(() => expressionOfDraft(draft), [draft]);
  const found = useExpressionPreview(expression);
  const names = useExpressionNames(expression);
  const unknownFields = useUnknownFields();
  const save = useMutation({
    mutationFn: (body: z.output<typeof GroupedSegment> & { allow_unknown?: true }) =>
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

  function put(next: GroupDraft): void {
    setDraft(next);
    form.clearErrors('expression');
    form.setValue('expression', JSON.stringify(expressionOfDraft(next)), { shouldDirty: true });
  }

  const takeOver = useEffectEvent(() => {
    if (!typed) return;
    form.setValue('name', typed.name, { shouldDirty: true });
    put(draftOf(typed.expression));
  });
  useEffect(() => takeOver(), []);

  const lines = found.preview?.lines;
  const builder = {
    change: (id: number, by: Draft | undefined) => put(replaced(draft, id, by)),
    countAt: (path: string) => lines?.find((line) => line.path === path),
    errorAt(path: string): string | undefined {
      const message: unknown = get(errors, `${path}.message`) ?? get(errors, `${path}.root.message`);
      return typeof message === 'string' ? message : undefined;
    },
  };

  return (
    <FormPage
      onClose={onClose}
      title={segment?.name ?? 'New Segment'}
      description="Who should be in it? Each condition is counted as you go; nothing is kept before you save."
      form={form}
      onSubmit={(values) => unknownFields.save((allowed) => save.mutateAsync({ ...values, ...allowed }))}
      canSubmit={typedName.trim() !== ''}
      submitLabel={segment === undefined ? 'Create Segment' : 'Save Changes'}
      busyLabel={segment === undefined ? 'Creating...' : 'Saving...'}
      failureText="Failed to save segment"
      needs="contacts:write"
      draft={{ kind: 'segment', key: segment === undefined ? 'new:groups' : `${segment.id}:groups` }}
      question={unknownFields.question}
      actions={segment && <HistoryLink target={`segment:${segment.id}`} name={segment.name} />}
    >
      <div className="grid items-start gap-4 sm:gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 gap-4 sm:gap-6">
          <Card>
            <div className="grid gap-5">
              <TextField
                form={form}
                name="name"
                label="Name"
                required
                autoComplete="off"
                maxLength={120}
                placeholder="Installed users"
              />
              {segment === undefined && !isDirty && <StartingPoints onChoose={(chosen) => put(draftOf(chosen))} />}
              <BuilderContext value={builder}>
                <ExpressionGroup group={draft} path="expression" />
              </BuilderContext>
            </div>
          </Card>
          <ExpressionPreview expression={expression} found={found} names={names} />
        </div>
        <div className="grid min-w-0 gap-4 sm:gap-6 xl:sticky xl:top-18">
          <ExpressionTally draft={draft} found={found} names={names} />
          {segment && <SegmentCards segmentId={segment.id} />}
        </div>
      </div>
    </FormPage>
  );
}

/** The groups and lines of the form; they follow its text where that comes from elsewhere, such as a kept draft. */
function useDraft(text: string): [GroupDraft, (draft: GroupDraft) => void] {
  const [draft, setDraft] = useState(() => draftOf(JSON.parse(text) as Expression));
  const [shown, setShown] = useState(text);
  if (shown !== text) {
    setShown(text);
    if (JSON.stringify(expressionOfDraft(draft)) !== text) setDraft(draftOf(JSON.parse(text) as Expression));
  }
  return [draft, setDraft];
}
