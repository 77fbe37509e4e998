import type { ReactNode } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import type { Permission } from '#contracts/permissions.ts';
import type { DraftTarget } from '../drafts/draft-keeper.ts';
import { ClashQuestion, DraftedFields, DraftStatus, RestoredDraft } from '../drafts/draft-parts.tsx';
import { Button } from '../ui/button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { FormFailure } from './form-failure.tsx';
import { DiscardQuestion, LeaveQuestion } from './leave-question.tsx';
import { useKeptForm } from './use-kept-form.ts';

type FormPageProps<T extends FieldValues, Output> = {
  onClose: () => void;
  title: string;
  description: string;
  form: UseFormReturn<T, unknown, Output>;
  /** Saves; the page is left afterwards. An error that it throws lands on its fields, else below the header. */
  onSubmit: (values: Output) => Promise<void>;
  submitLabel: string;
  busyLabel: string;
  failureText: string;
  draft: DraftTarget;
  canSubmit?: boolean;
  /** Without this permission the form can be read, and not saved. */
  needs?: Permission;
  /** At the right of the title, before the buttons of the form. */
  actions?: ReactNode;
  question?: ReactNode;
  children: ReactNode;
};

/** A form that has a page of its own: what is typed is kept as a draft, and leaving loses nothing. */
export function FormPage<T extends FieldValues, Output>(props: FormPageProps<T, Output>) {
  const { onClose, title, description, form, onSubmit, submitLabel, busyLabel, failureText, canSubmit = true } = props;
  const { isSubmitting } = form.formState;
  const { draft, isAsking, setAsking, isDirty, isClosing, isLoss, requestClose, discard, save } = useKeptForm({
    form,
    onSubmit,
    onClose,
    failureText,
    draft: props.draft,
    obstacle: undefined,
  });
  const isReading = draft?.isReading === true;
  return (
    <form
      noValidate
      data-reading={isReading || undefined}
      onSubmit={(event) => void form.handleSubmit(save)(event)}
      className="grid min-w-0 gap-4 sm:gap-6"
    >
      <PageHeader
        title={title}
        description={description}
        actions={
          <>
            <div className="empty:hidden max-sm:min-w-full">
              {draft && <DraftStatus draft={draft} onDiscard={() => setAsking(true)} />}
            </div>
            {props.actions}
            <Button disabled={isSubmitting} onClick={() => void requestClose()}>
              Cancel
            </Button>
            <Button
              type="submit"
              variant="primary"
              {...(props.needs && { needs: props.needs })}
              disabled={!canSubmit || isReading}
              busy={isSubmitting && busyLabel}
            >
              {submitLabel}
            </Button>
          </>
        }
      />
      <FormFailure form={form} />
      {draft && <RestoredDraft draft={draft} />}
      <DraftedFields draft={draft}>{props.children}</DraftedFields>
      <DiscardQuestion isOpen={isAsking} onKeep={() => setAsking(false)} onDiscard={() => void discard()} />
      {draft && <ClashQuestion draft={draft} />}
      {props.question}
      <LeaveQuestion isAsked={isDirty} isLoss={isLoss} isClosing={props.question ? undefined : isClosing} isKept />
    </form>
  );
}
