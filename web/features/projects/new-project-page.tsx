import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { NewProject } from '#contracts/projects.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { ClashQuestion, DraftedFields, DraftStatus, RestoredDraft } from '#web/shared/drafts/draft-parts.tsx';
import { useFormDraft } from '#web/shared/drafts/use-form-draft.ts';
import { DiscardQuestion } from '#web/shared/form/leave-question.tsx';
import { showFieldErrors } from '#web/shared/form/submit-form.ts';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { paths } from '#web/shared/paths.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { Button, buttonClass } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';

const newProject = { kind: 'project', key: 'new' } as const;

export function NewProjectPage() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const form = useZodForm(NewProject, { name: '', webhook_url: '' });
  const draft = useFormDraft(form, newProject);
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<string>();
  const create = useMutation({
    mutationFn: (body: NewProject) =>
      callApi('POST /api/projects', { body: { ...body, webhook_url: body.webhook_url ?? null } }),
    onSuccess: async () => {
      await draft?.discard();
      await queryClient.refetchQueries({ queryKey: queryKeys.projects });
      await navigate({ to: paths.projects });
    },
    onError: (error) =>
      setFailure(showFieldErrors(form, error) ? undefined : errorText(error, 'Failed to create project')),
  });
  const submit = form.handleSubmit((values) => create.mutate(values));

  return (
    <>
      <PageHeader title="New Project" description="It gets an auth key of its own; phone numbers come next" />
      <form
        noValidate
        data-reading={draft?.isReading || undefined}
        onSubmit={(event) => void submit(event)}
        className="max-w-140"
      >
        <Card
          footer={
            <>
              <Button
                type="submit"
                variant="primary"
                disabled={draft?.isReading}
                busy={create.isPending && 'Creating...'}
              >
                Create Project
              </Button>
              <Link to={paths.projects} className={buttonClass()}>
                Cancel
              </Link>
              {draft && <DraftStatus draft={draft} onDiscard={() => setAsking(true)} />}
            </>
          }
        >
          <div className="grid gap-5">
            {draft && <RestoredDraft draft={draft} />}
            {failure !== undefined && (
              <div role="alert">
                <Notice color="red" title={failure} />
              </div>
            )}
            <DraftedFields draft={draft}>
              <TextField form={form} name="name" label="Project Name" required autoComplete="off" maxLength={120} />
              <TextField
                form={form}
                name="webhook_url"
                label="Webhook URL"
                aside={<span className="text-muted">Optional</span>}
                hint="Messages and status changes are posted here. You can set it later."
                type="url"
                inputMode="url"
                autoComplete="off"
                placeholder="https://example.com/webhooks/dovepost"
              />
            </DraftedFields>
          </div>
        </Card>
      </form>
      {draft && <ClashQuestion draft={draft} />}
      <DiscardQuestion
        isOpen={isAsking}
        onKeep={() => setAsking(false)}
        onDiscard={() => {
          setAsking(false);
          form.reset();
        }}
      />
    </>
  );
}
