import { useState, type ReactNode } from 'react';
import type { FieldErrors, FieldValues, UseFormReturn } from 'react-hook-form';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog, DialogBody, DialogFooter, DialogPanes, type DialogSize } from '../ui/dialog.tsx';
import { reportFailure } from './submit-form.ts';

type FormDialogProps<T extends FieldValues, Output> = {
  onClose: () => void;
  title: string;
  description?: ReactNode;
  form: UseFormReturn<T, unknown, Output>;
  /** Saves; the dialog closes afterwards. What it throws lands on its fields, else in a toast. */
  onSubmit: (values: Output) => Promise<void>;
  submitLabel: string;
  /** 'Saving...' */
  busyLabel: string;
  /** The toast when the server gives no reason of its own. */
  failureText: string;
  size?: DialogSize;
  /** False while something is missing that makes saving pointless. */
  canSubmit?: boolean;
  /** Told when the form's own rules refuse what was typed; the errors are on their fields. */
  onRefused?: (errors: FieldErrors<T>) => void;
  /** Beside the fields on wide screens: what they come to. */
  aside?: ReactNode;
  /** At the left of the buttons. */
  footerStart?: ReactNode;
  children: ReactNode;
};

/**
 * A form in a dialog; mount it to open it. The first field is focused, Enter saves, Escape, backdrop and X close,
 * asking first when something was typed.
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
    canSubmit = true,
    onRefused,
    aside,
    footerStart,
    children,
  } = props;
  const [isAsking, setAsking] = useState(false);
  const { isDirty, isSubmitting } = form.formState;

  function requestClose(): void {
    if (isSubmitting) return;
    if (isDirty) setAsking(true);
    else onClose();
  }

  const submit = form.handleSubmit(async (values) => {
    try {
      await onSubmit(values);
      onClose();
    } catch (error) {
      reportFailure(form, error, failureText);
    }
  }, onRefused);

  return (
    <Dialog isOpen onClose={requestClose} title={title} description={description} {...(size && { size })}>
      <form noValidate onSubmit={(event) => void submit(event)} className="flex min-h-0 flex-col">
        {aside === undefined ? (
          <DialogBody>{children}</DialogBody>
        ) : (
          <DialogPanes aside={aside}>{children}</DialogPanes>
        )}
        <DialogFooter>
          {footerStart !== undefined && <div className="mr-auto">{footerStart}</div>}
          <Button disabled={isSubmitting} onClick={requestClose}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" disabled={!canSubmit} busy={isSubmitting && busyLabel}>
            {submitLabel}
          </Button>
        </DialogFooter>
      </form>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Discard what you typed?"
        confirmLabel="Discard"
        cancelLabel="Keep editing"
        onConfirm={onClose}
      >
        Your changes have not been saved.
      </ConfirmDialog>
    </Dialog>
  );
}
