import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { z } from 'zod';
import { NewWebhookEndpoint } from '#contracts/webhook-endpoints.ts';
import type { WebhookEndpoint } from '#contracts/webhook-endpoints.ts';
import { namedOnlyEvents, WebhookEventType } from '#contracts/webhooks.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { Checkbox } from '#web/shared/form/checkbox.tsx';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useFieldError, useZodForm } from '#web/shared/form/use-zod-form.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { CopyField } from '#web/shared/ui/copy-field.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

const types = WebhookEventType.exclude(['test']).options;
type EventName = (typeof types)[number];
/** All events leave these out. */
const named = types.filter((type) => namedOnlyEvents.some((each) => each === type));

const Form = z
  .object({
    url: NewWebhookEndpoint.shape.url,
    description: z.string().trim().max(200, 'Use at most 200 characters'),
    isAll: z.boolean(),
    events: z.array(z.enum(types)),
  })
  .refine(({ isAll, events }) => isAll || events.length > 0, {
    path: ['events'],
    message: 'Choose at least one event',
  });

type Values = z.output<typeof Form>;

const toBody = ({ url, description, isAll, events }: Values) => ({
  url,
  description: description === '' ? null : description,
  events: isAll ? ['*' as const, ...events.filter((type) => named.includes(type))] : events,
});

const isKnown = (name: string): name is EventName => types.some((type) => type === name);

function valuesOf(endpoint: WebhookEndpoint | undefined): Values {
  if (endpoint === undefined) return { url: '', description: '', isAll: true, events: [] };
  return {
    url: endpoint.url,
    description: endpoint.description ?? '',
    isAll: endpoint.events.includes('*'),
    events: endpoint.events.filter(isKnown),
  };
}

const secretTexts = { copied: 'Signing secret copied to clipboard', failed: 'Failed to copy signing secret' };

type EndpointDialogProps = { projectId: number; endpoint: WebhookEndpoint | undefined; onClose: () => void };

/** A new endpoint, or one to change. */
export function EndpointDialog({ projectId, endpoint, onClose }: EndpointDialogProps) {
  const queryClient = useQueryClient();
  const form = useZodForm(Form, valuesOf(endpoint));
  const isAll = form.watch('isAll');
  const eventsError = useFieldError(form, 'events');
  const save = useMutation({
    mutationFn: async (values: Values) => {
      const body = toBody(values);
      if (endpoint === undefined) {
        return callApi('POST /api/projects/{projectId}/webhook-endpoints', { params: { projectId }, body });
      }
      return callApi('PUT /api/projects/{projectId}/webhook-endpoints/{endpointId}', {
        params: { projectId, endpointId: endpoint.id },
        body,
      });
    },
    onSuccess: () => {
      notify.success(endpoint === undefined ? 'Endpoint added' : 'Endpoint updated');
      return queryClient.invalidateQueries({ queryKey: queryKeys.projects });
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title={endpoint === undefined ? 'Add endpoint' : 'Edit endpoint'}
      draft={{ kind: 'webhook_endpoint', key: endpoint === undefined ? `new:${projectId}` : String(endpoint.id) }}
      {...(endpoint?.disabled_reason && { description: `${endpoint.disabled_reason} Saving it switches it on.` })}
      form={form}
      onSubmit={async (values) => void (await save.mutateAsync(values))}
      submitLabel={endpoint === undefined ? 'Add endpoint' : 'Save Changes'}
      busyLabel="Saving..."
      failureText="Failed to save the endpoint"
    >
      <TextField
        form={form}
        name="url"
        label="URL"
        type="url"
        required
        autoComplete="off"
        placeholder="https://example.com/hooks/dovepost"
      />
      <TextField form={form} name="description" label="Description" aside="optional" autoComplete="off" />
      <fieldset className="grid gap-2.5">
        <legend className="mb-1.5 text-13 font-medium">Events</legend>
        <Checkbox form={form} name="isAll" label="All events, including future ones" />
        {isAll ? (
          named.map((type) => (
            <Checkbox
              key={type}
              form={form}
              name="events"
              value={type}
              label={`And ${type}: what people did, up to 20,000 an hour`}
            />
          ))
        ) : (
          <div className="grid gap-2 pl-6.5 sm:grid-cols-2">
            {types.map((type) => (
              <Checkbox key={type} form={form} name="events" value={type} label={type} />
            ))}
          </div>
        )}
        {eventsError !== undefined && <p className="text-13 text-red-ink">{eventsError}</p>}
      </fieldset>
      {endpoint !== undefined && <SigningSecret projectId={projectId} endpoint={endpoint} />}
    </FormDialog>
  );
}

/** Rotated without asking: the old one signs beside it for as long as receivers need to change over. */
function SigningSecret({ projectId, endpoint }: { projectId: number; endpoint: WebhookEndpoint }) {
  const queryClient = useQueryClient();
  const rotate = useMutation({
    mutationFn: () =>
      callApi('POST /api/projects/{projectId}/webhook-endpoints/{endpointId}/secret/rotate', {
        params: { projectId, endpointId: endpoint.id },
        body: {},
      }),
    onSuccess: () => {
      notify.success('Signing secret rotated successfully');
      return queryClient.invalidateQueries({ queryKey: queryKeys.projects });
    },
    onError: (error) => notify.error(errorText(error, 'Failed to rotate signing secret')),
  });
  const secret = rotate.data?.secret ?? endpoint.secret;
  if (secret === null) return null;
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <CopyField
          key={secret}
          label="Signing secret"
          secret
          value={secret}
          texts={secretTexts}
          {...(rotate.isSuccess && { hint: 'The old secret signs beside it for a day, then stops.' })}
        />
      </div>
      <div className="mt-6.5 flex h-10 items-center">
        <Button
          size="small"
          aria-label="Rotate signing secret"
          icon={<RefreshCw aria-hidden="true" className="size-4" />}
          busy={rotate.isPending && 'Rotating...'}
          onClick={() => rotate.mutate()}
        >
          Rotate
        </Button>
      </div>
    </div>
  );
}
