import { useEffect, useRef, type ReactNode } from 'react';
import type { FieldErrors, FieldValues, UseFormReturn } from 'react-hook-form';
import type { Permission } from '#contracts/permissions.ts';
import { DropHint } from '../attach/drop-hint.tsx';
import type { DraftTarget } from '../drafts/draft-keeper.ts';
import { ClashQuestion, DraftedFields, DraftStatus, RestoredDraft } from '../drafts/draft-parts.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogBody, DialogFooter, DialogPanes, firstField, type DialogSize } from '../ui/dialog.tsx';
import { FormFailure } from './form-failure.tsx';
import { DiscardQuestion, LeaveQuestion } from './leave-question.tsx';
import { useKeptForm } from './use-kept-form.ts';
import type { FileDrop } from './use-file-drop.ts';

type FormDialogProps<T extends FieldValues, Output> = {
  onClose: () => void;
  title: string;
  description?: ReactNode;
  form: UseFormReturn<T, unknown, Output>;
  /** Saves; the dialog closes afterwards. An error that it throws lands on its fields, else above the buttons. */
  onSubmit: (values: Output) => Promise<void>;
  submitLabel: string;
  /** 'Saving...' */
  busyLabel: string;
  /** Said when the server gives no reason of its own. */
  failureText: string;
  size?: DialogSize;
  /** Where what is typed is kept until it is saved; without it leaving loses it, and asks. */
  draft?: DraftTarget | undefined;
  /** False while something is missing that makes saving pointless. */
  canSubmit?: boolean;
  /** Without this permission the form can be read, and not saved. */
  needs?: Permission;
  /** Why it cannot be saved now, though something was entered: a sentence beside the buttons. */
  obstacle?: string | undefined;
  /** Takes a file that is dropped anywhere on the form. */
  fileDrop?: FileDrop;
  /** Told when the form's own rules refuse what was typed; the errors are on their fields. */
  onRefused?: (errors: FieldErrors<T>) => void;
  /** Beside the fields on wide screens: what they come to. */
  aside?: ReactNode;
  /** At the left of the buttons. */
  footerStart?: ReactNode;
  /** The same; `forget` ends the draft, for a form that goes on elsewhere. */
  renderFooterStart?: (forget: () => Promise<void>) => ReactNode;
  /** A dialog that asks something before saving goes on; until it is answered the form can be left like any other. */
  question?: ReactNode;
  children: ReactNode;
};

/**
 * A form in a dialog; mount it to open it. The first field is focused, Enter saves, Escape, backdrop and X close,
 * asking first when something typed would be lost; so does the browser's Back.
 */
export function FormDialog<T extends FieldValues, Output>(props: FormDialogProps<T, Output>) {
  const {
    onClose,
    title,
    description,
    form,
    onSubmit,
    submitLabel,
    busyLabel,
    failureText,
    size,
    draft: target,
    canSubmit = true,
    needs,
    obstacle,
    fileDrop,
    onRefused,
    aside,
    footerStart,
    renderFooterStart,
    question,
    children,
  } = props;
  const { isSubmitting } = form.formState;
  const { draft, isAsking, setAsking, isDirty, isClosing, isLoss, requestClose, discard, save } = useKeptForm({
    form,
    onSubmit,
    onClose,
    failureText,
    draft: target,
    obstacle,
  });
  const isReading = draft?.isReading === true;
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const dialog = element.current?.closest<HTMLElement>('[role="dialog"]');
    // Focus that was moved meanwhile stays.
    if (!isReading && dialog && document.activeElement === dialog) firstField(dialog)?.focus();
  }, [isReading]);
  const fields = (
    <DraftedFields draft={draft}>
      {draft && <RestoredDraft draft={draft} />}
      {children}
    </DraftedFields>
  );
  return (
    <Dialog isOpen onClose={() => void requestClose()} title={title} description={description} {...(size && { size })}>
      <form
        ref={element}
        noValidate
        data-reading={isReading || undefined}
        {...fileDrop?.handlers}
        onSubmit={(event) => void form.handleSubmit(save, onRefused)(event)}
        className="relative flex min-h-0 grow flex-col"
      >
        {aside === undefined ? <DialogBody>{fields}</DialogBody> : <DialogPanes aside={aside}>{fields}</DialogPanes>}
        <FormFailure form={form} className="mx-5 mb-4 sm:mx-6" />
        <DialogFooter>
          <div className="mr-auto flex flex-wrap items-center gap-x-4 gap-y-2">
            {footerStart}
            {renderFooterStart?.(async () => draft?.discard())}
            {draft && <DraftStatus draft={draft} onDiscard={() => setAsking(true)} />}
          </div>
          {obstacle !== undefined && (
            <p role="status" className="text-13 text-muted">
              {obstacle}
            </p>
          )}
          <div className="flex gap-2">
            <Button disabled={isSubmitting} onClick={() => void requestClose()}>
              Cancel
            </Button>
            <Button
              type="submit"
              variant="primary"
              {...(needs && { needs })}
              disabled={!canSubmit || isReading || obstacle !== undefined}
              busy={isSubmitting && busyLabel}
            >
              {submitLabel}
            </Button>
          </div>
        </DialogFooter>
        {fileDrop?.isOver === true && <DropHint>Drop a file to attach it</DropHint>}
      </form>
      <DiscardQuestion isOpen={isAsking} onKeep={() => setAsking(false)} onDiscard={() => void discard()} />
      {draft && <ClashQuestion draft={draft} />}
      {question}
      <LeaveQuestion
        isAsked={isDirty}
        isLoss={isLoss}
        isClosing={question ? undefined : isClosing}
        isKept={draft !== undefined}
      />
    </Dialog>
  );
}
