import { Send } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { WhatsappTemplate } from '#contracts/whatsapp-templates.ts';
import { ApiError, errorText } from '#web/shared/api-error.ts';
import { ClashQuestion, DraftedFields, DraftStatus, RestoredDraft } from '#web/shared/drafts/draft-parts.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import type { BusinessAccount } from '../business-accounts.ts';
import { AboutCard } from './about-card.tsx';
import { ButtonsCard } from './buttons-card.tsx';
import { CodeCard } from './code-card.tsx';
import type { TemplateDraft } from './draft.ts';
import { fieldOf } from './draft-faults.ts';
import { PreviewPane } from './preview-pane.tsx';
import { TextCard } from './text-card.tsx';
import { useTemplateDraft } from './use-template-draft.ts';

type TemplateEditorProps = {
  title: string;
  description: ReactNode;
  badge?: ReactNode;
  /** Buttons of the page beside those of the form. */
  actions?: ReactNode;
  /** Above the form. */
  notice?: ReactNode;
  /** Names the draft. */
  place: string;
  initial: TemplateDraft;
  accounts: readonly BusinessAccount[];
  template?: WhatsappTemplate | undefined;
  isReadOnly?: boolean;
  submitLabel: string;
  /** Resolves once Meta has it. */
  onSubmit: (draft: TemplateDraft) => Promise<void>;
};

/** A template on a page of its own. Give another one another `key`. */
export function TemplateEditor(props: TemplateEditorProps) {
  const { title, description, badge, actions, notice, place, initial, accounts, template, submitLabel, onSubmit } =
    props;
  const isReadOnly = props.isReadOnly ?? false;
  const form = useTemplateDraft(isReadOnly ? undefined : place, initial);
  const { draft, change, errorOf } = form;
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [isDiscarding, setDiscarding] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const editing = { draft, change, errorOf, isReadOnly };

  /** The first field with something to say, once it says it: a frame may come before it is drawn. */
  const [faultsShown, setFaultsShown] = useState(0);
  const focusFault = () => setFaultsShown((count) => count + 1);
  useEffect(() => {
    if (faultsShown > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [faultsShown]);

  async function submit(): Promise<void> {
    setFailure(undefined);
    form.showAll();
    if (form.faults.length > 0) return focusFault();
    setBusy(true);
    try {
      await onSubmit(draft);
      await form.end();
    } catch (error) {
      const refused = error instanceof ApiError ? error.fieldErrors : [];
      form.refuse(refused.map(({ path, message }) => ({ field: fieldOf(path, draft), message })));
      setFailure(errorText(error, 'Failed to submit the template'));
      focusFault();
    } finally {
      setBusy(false);
    }
  }

  return (
    <form
      ref={element}
      noValidate
      data-reading={form.kept?.isReading || undefined}
      className="grid min-w-0 gap-4 sm:gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <PageHeader
        title={title}
        description={description}
        badge={badge}
        actions={
          <>
            {form.kept && <DraftStatus draft={form.kept} onDiscard={() => setDiscarding(true)} />}
            {actions}
            {!isReadOnly && (
              <Button
                type="submit"
                variant="primary"
                disabled={form.kept?.isReading}
                icon={<Send aria-hidden="true" className="size-4" />}
                busy={isBusy && 'Submitting...'}
              >
                {submitLabel}
              </Button>
            )}
          </>
        }
      />
      {form.kept && <RestoredDraft draft={form.kept} />}
      {notice}
      {failure !== undefined && (
        <div role="alert">
          <Notice color="red" title={failure} />
        </div>
      )}
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 sm:gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,20rem)]">
        <div className="grid min-w-0 content-start gap-4 sm:gap-6">
          <DraftedFields draft={form.kept}>
            <AboutCard editing={editing} accounts={accounts} template={template} />
            {draft.category === 'authentication' ? (
              <CodeCard editing={editing} />
            ) : (
              <>
                <TextCard editing={editing} place={place} />
                <ButtonsCard editing={editing} />
              </>
            )}
          </DraftedFields>
        </div>
        <PreviewPane draft={draft} isReadOnly={isReadOnly} />
      </div>
      {form.kept && <ClashQuestion draft={form.kept} />}
      <ConfirmDialog
        isOpen={isDiscarding}
        onClose={() => setDiscarding(false)}
        title="Discard what you typed?"
        confirmLabel="Discard"
        cancelLabel="Keep editing"
        onConfirm={() => form.discard()}
      >
        Your changes have not been submitted.
      </ConfirmDialog>
    </form>
  );
}
