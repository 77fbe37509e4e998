import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { NewSegment, type Segment } from '#contracts/segments.ts';
import { callApi } from '#web/shared/api.ts';
import { useUnknownFields } from '#web/shared/conditions/use-unknown-fields.tsx';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { needsValue } from '#web/shared/conditions/condition-words.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { notify } from '#web/shared/ui/toast-store.ts';
import { ConditionFields } from './condition-fields.tsx';
import { SegmentPreview } from './segment-preview.tsx';

const emptyCondition = { fieldPath: '', operator: 'equals', value: '' } as const;

/** What is no value's place holds none. */
function withoutIdleValue({ name, condition }: NewSegment): NewSegment {
  return { name, condition: needsValue(condition.operator) ? condition : { ...condition, value: '' } };
}

/** Makes a segment, or changes the given one. */
export function SegmentDialog({ segment, onClose }: { segment?: Segment; onClose: () => void }) {
  const queryClient = useQueryClient();
  const form = useZodForm(NewSegment, {
    name: segment?.name ?? '',
    condition: segment?.condition ?? emptyCondition,
  });
  const [name, fieldPath, operator] = useWatch({
    control: form.control,
    name: ['name', 'condition.fieldPath', 'condition.operator'],
  });
  const save = useMutation({
    mutationFn: (body: NewSegment) =>
      segment === undefined
        ? callApi('POST /api/segments', { body })
        : callApi('PUT /api/segments/{segmentId}', { params: { segmentId: segment.id }, body }),
    onSuccess: () => {
      notify.success(segment === undefined ? 'Segment created' : 'Segment updated');
      return queryClient.invalidateQueries({ queryKey: queryKeys.segments });
    },
  });
  const unknownFields = useUnknownFields();
  return (
    <FormDialog
      onClose={onClose}
      size="large"
      title={segment === undefined ? 'New Segment' : 'Edit Segment'}
      form={form}
      onSubmit={(values) =>
        unknownFields.save((allowed) => save.mutateAsync({ ...withoutIdleValue(values), ...allowed }))
      }
      canSubmit={name.trim() !== '' && fieldPath.trim() !== '' && Boolean(operator)}
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
      <ConditionFields form={form} />
      <SegmentPreview form={form} segment={segment} />
    </FormDialog>
  );
}
