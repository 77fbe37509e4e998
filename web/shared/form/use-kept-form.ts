import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { discardDraft } from '../drafts/discard-draft.ts';
import type { DraftTarget } from '../drafts/draft-keeper.ts';
import { useFormDraft } from '../drafts/use-form-draft.ts';
import { notify } from '../ui/toast-store.ts';
import { reportFailure } from './submit-form.ts';

type KeptForm<T extends FieldValues, Output> = {
  form: UseFormReturn<T, unknown, Output>;
  onSubmit: (values: Output) => Promise<void>;
  onClose: () => void;
  failureText: string;
  draft: DraftTarget | undefined;
  obstacle: string | undefined;
};

/** How a form is left and saved, with the draft of what was typed: of a dialog, or of a page. */
export function useKeptForm<T extends FieldValues, Output>({
  form,
  onSubmit,
  onClose,
  failureText,
  draft: target,
  obstacle,
}: KeptForm<T, Output>) {
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const draft = useFormDraft(form, target);
  const { isSubmitting } = form.formState;
  // A file on its way is in no draft.
  const isDirty = form.formState.isDirty || obstacle !== undefined;
  // A dialog may close by changing the address, which is no wish to leave.
  const isClosing = useRef(false);

  function close(): void {
    isClosing.current = true;
    onClose();
  }

  /** Whether leaving now would lose something: where a draft has it all, nothing is. */
  async function isLoss(): Promise<boolean> {
    return isDirty && (draft === undefined || obstacle !== undefined || !(await draft.flush()));
  }

  async function requestClose(): Promise<void> {
    if (isSubmitting) return;
    if (await isLoss()) return setAsking(true);
    if (isDirty && target) {
      const onSelect = () => void discardDraft(target, queryClient);
      notify.info('Kept as a draft', { action: { label: 'Discard', onSelect } });
    }
    close();
  }

  async function discard(): Promise<void> {
    close();
    await draft?.discard();
  }

  async function save(values: Output): Promise<void> {
    isClosing.current = true;
    try {
      await onSubmit(values);
      close();
      await draft?.discard();
    } catch (error) {
      isClosing.current = false;
      reportFailure(form, error, failureText);
    }
  }

  return { draft, isAsking, setAsking, isDirty, isClosing, isLoss, requestClose, discard, save };
}
