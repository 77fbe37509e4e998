import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { putLinkSettings, type LinkSettings } from '#contracts/links.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { FormFailure } from '#web/shared/form/form-failure.tsx';
import { reportFailure } from '#web/shared/form/submit-form.ts';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

const queryKey = ['link-settings'] as const;

/** Where the short addresses of links stand. */
export function LinksCard() {
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi('GET /api/link-settings', {}, { signal }),
  });
  return (
    <Card
      id="links"
      title="Links"
      description="{link:https://…} in a message becomes a short address of each recipient, whose clicks the reports count."
    >
      {data === undefined && error === null && <Skeleton className="h-10" />}
      {data === undefined && error !== null && (
        <ErrorPanel
          title="Failed to load the domain of links"
          detail={errorText(error, 'Try again in a moment.')}
          onRetry={() => void refetch()}
        />
      )}
      {data !== undefined && <DomainForm settings={data} />}
    </Card>
  );
}

const Form = z.object({ domain: z.literal('').or(putLinkSettings.body.shape.domain.unwrap()) });

function DomainForm({ settings }: { settings: LinkSettings }) {
  const queryClient = useQueryClient();
  const form = useZodForm(Form, { domain: settings.domain ?? '' });
  const save = useMutation({
    mutationFn: ({ domain }: z.output<typeof Form>) =>
      callApi('PUT /api/link-settings', { body: { domain: domain || null } }),
    onSuccess: (saved) => {
      queryClient.setQueryData(queryKey, saved);
      form.reset({ domain: saved.domain ?? '' });
      notify.success('Domain of links saved');
    },
    onError: (failure) => reportFailure(form, failure, 'Failed to save the domain'),
  });
  const { domain } = settings;
  return (
    <form
      className="grid gap-3"
      noValidate
      onSubmit={(event) => void form.handleSubmit((values) => save.mutate(values))(event)}
    >
      <TextField
        form={form}
        name="domain"
        label="Domain of your own"
        hint={`Optional. It has to lead to this server by https; without one links stand on ${settings.default_url}.`}
        autoComplete="off"
        spellCheck={false}
        placeholder="go.example.com"
      />
      <FormFailure form={form} />
      <div className="flex flex-wrap items-center gap-3">
        <Button
          type="submit"
          variant="primary"
          size="small"
          disabled={!form.formState.isDirty}
          busy={save.isPending && 'Saving...'}
        >
          Save Changes<span className="sr-only"> of links</span>
        </Button>
        {domain !== null && (
          <a
            href={`https://${domain}/l/test`}
            target="_blank"
            rel="noreferrer"
            className="rounded-small text-13 text-accent-ink hover:underline"
          >
            Try whether it leads here
          </a>
        )}
      </div>
    </form>
  );
}
