import { useRef, useState, type ReactNode } from 'react';
import type { FieldErrors, FieldValues, UseFormReturn } from 'react-hook-form';
import { DropHint } from '../attach/drop-hint.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogBody, DialogFooter, DialogPanes, type DialogSize } from '../ui/dialog.tsx';
import { DiscardQuestion, LeaveQuestion } from './leave-question.tsx';
import { reportFailure } from './submit-form.ts';
import type { FileDrop } from './use-file-drop.ts';

type FormDialogProps<T extends FieldValues, Output> = {
  onClose: () => void;
  title: string;
  description?: ReactNode;
  form: UseFormReturn<T, unknown, Output>;
  /** Saves; the dialog closes afterwards. An error that it throws lands on its fields, else in a toast. */
  onSubmit: (values: Output) => Promise<void>;
  submitLabel: string;
  /** 'Saving...' */
  busyLabel: string;
  /** The toast when the server gives no reason of its own. */
  failureText: string;
  size?: DialogSize;
  /** False while something is missing that makes saving pointless. */
  canSubmit?: boolean;
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
  /** A dialog that asks something before saving goes on; until it is answered the form can be left like any other. */
  question?: ReactNode;
  children: ReactNode;
};

/**
 * A form in a dialog; mount it to open it. The first field is focused, Enter saves, Escape, backdrop and X close,
 * asking first when something was typed; so does the browser's Back.
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
    obstacle,
    fileDrop,
    onRefused,
    aside,
    footerStart,
    question,
    children,
  } = props;
  const [isAsking, setAsking] = useState(false);
  const { isSubmitting } = form.formState;
  const isDirty = form.formState.isDirty || obstacle !== undefined;
  // A dialog may close by changing the address, which is no wish to leave.
  const isClosing = useRef(false);

  function close(): void {
    isClosing.current = true;
    onClose();
  }

  function requestClose(): void {
    if (isSubmitting) return;
    if (isDirty) setAsking(true);
    else close();
  }

  async function save(values: Output): Promise<void> {
    isClosing.current = true;
    try {
      await onSubmit(values);
      close();
    } catch (error) {
      isClosing.current = false;
      reportFailure(form, error, failureText);
    }
  }

  return (
    <Dialog isOpen onClose={requestClose} title={title} description={description} {...(size && { size })}>
      <form
        noValidate
        {...fileDrop?.handlers}
        onSubmit={(event) => void form.handleSubmit(save, onRefused)(event)}
        className="relative flex min-h-0 flex-col"
      >
        {aside === undefined ? (
          <DialogBody>{children}</DialogBody>
        ) : (
          <DialogPanes aside={aside}>{children}</DialogPanes>
        )}
        <DialogFooter>
          {footerStart !== undefined && <div className="mr-auto">{footerStart}</div>}
          {obstacle !== undefined && (
            <p role="status" className="text-13 text-muted">
              {obstacle}
            </p>
          )}
          <Button disabled={isSubmitting} onClick={requestClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            variant="primary"
            disabled={!canSubmit || obstacle !== undefined}
            busy={isSubmitting && busyLabel}
          >
            {submitLabel}
          </Button>
        </DialogFooter>
        {fileDrop?.isOver === true && <DropHint>Drop a file to attach it</DropHint>}
      </form>
      <DiscardQuestion isOpen={isAsking} onKeep={() => setAsking(false)} onDiscard={close} />
      {question}
      <LeaveQuestion isAsked={isDirty} isClosing={question ? undefined : isClosing} />
    </Dialog>
  );
}
