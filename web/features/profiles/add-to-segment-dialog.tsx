import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { z } from 'zod';
import { ProfileTag } from '#contracts/profile-tags.ts';
import type { Segment } from '#contracts/segments.ts';
import { callApi } from '#web/shared/api.ts';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { SegmentList } from '#web/shared/pick/segment-list.tsx';
import { queryKeys } from '#web/shared/queries.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Dialog, DialogBody, DialogFooter } from '#web/shared/ui/dialog.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';

type AddToSegmentDialogProps = {
  /** '3 profiles' */
  people: string;
  /** Gives them the tag by which the segment finds its members. */
  onAdd: (tag: string) => Promise<void>;
  onClose: () => void;
};

/** A segment's members are whoever matches: those of a tag are chosen by giving them the tag. */
export function AddToSegmentDialog({ people, onAdd, onClose }: AddToSegmentDialogProps) {
  const [isNew, setNew] = useState(false);
  const [segment, setSegment] = useState<Segment>();
  const [isBusy, setBusy] = useState(false);
  const tag = segment && tagOf(segment);
  if (isNew) return <NewSegmentDialog people={people} onAdd={onAdd} onClose={onClose} />;

  async function add(): Promise<void> {
    if (tag === undefined) return;
    setBusy(true);
    try {
      await onAdd(tag);
      onClose();
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog isOpen onClose={onClose} title={`Add ${people} to a segment`} description="A segment that goes by a tag">
      <DialogBody>
        <SegmentList chosenId={segment?.id} onChoose={setSegment} />
        {segment !== undefined && tag === undefined && (
          <Notice live color="yellow" title="This segment has another condition">
            Its members are whoever matches it, so nobody can be added. Choose one that goes by a tag, or make a new
            one.
          </Notice>
        )}
        {tag !== undefined && (
          <p role="status" className="text-13 text-muted">
            They get the tag <b className="font-medium text-ink">{tag}</b>, by which the segment finds its members.
          </p>
        )}
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => setNew(true)}>New segment</Button>
        <Button
          variant="primary"
          disabled={tag === undefined}
          busy={isBusy && 'Starting...'}
          onClick={() => void add().catch(() => undefined)}
        >
          Add to segment
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

function tagOf({ condition }: Segment): string | undefined {
  return condition?.fieldPath === 'tags' && condition.operator === 'equals' ? condition.value : undefined;
}

const Form = z.object({ name: z.string().trim().min(1, 'Enter a segment name').max(120), tag: ProfileTag });

function NewSegmentDialog({ people, onAdd, onClose }: AddToSegmentDialogProps) {
  const queryClient = useQueryClient();
  const form = useZodForm(Form, { name: '', tag: '' });
  const made = useRef<string>(undefined);
  const create = useMutation({
    mutationFn: ({ name, tag }: z.output<typeof Form>) =>
      callApi('POST /api/segments', {
        body: { name, condition: { fieldPath: 'tags', operator: 'equals', value: tag } },
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.segments }),
  });
  return (
    <FormDialog
      onClose={onClose}
      title={`New segment of ${people}`}
      description="They get a tag, and the segment finds its members by it."
      form={form}
      onSubmit={async (values) => {
        // Tried again because nobody could be added, it is there.
        if (made.current !== JSON.stringify(values)) await create.mutateAsync(values);
        made.current = JSON.stringify(values);
        await onAdd(values.tag);
      }}
      submitLabel="Create Segment"
      busyLabel="Creating..."
      failureText="Failed to save segment"
    >
      <TextField form={form} name="name" label="Name" autoComplete="off" maxLength={120} required />
      <TextField form={form} name="tag" label="Tag" autoComplete="off" maxLength={50} required />
    </FormDialog>
  );
}
