import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import type { OptOutSettings } from '#contracts/suppressions.ts';
import { callApi, type ApiResponse } from '#web/shared/api.ts';
import { FormFailure } from '#web/shared/form/form-failure.tsx';
import { reportFailure } from '#web/shared/form/submit-form.ts';
import { Switch } from '#web/shared/form/switch.tsx';
import { TextArea } from '#web/shared/form/text-area.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { optOutSettingsQuery } from './opt-out-queries.ts';
import { formValuesOf, RepliesForm } from './replies-form.ts';

const texts = {
  title: 'Opting out by reply',
  description: 'A message that is one of these words and nothing else; capitals, accents and punctuation do not count.',
};

/** Which replies opt out and in, and what is answered. */
export function RepliesCard() {
  const { data, isError, refetch } = useQuery(optOutSettingsQuery());
  if (data !== undefined) return <RepliesFormCard settings={data} />;
  return (
    <Card {...texts}>
      {isError ? (
        <ErrorPanel title="Failed to load the settings" onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-64" />
      )}
    </Card>
  );
}

type Answer = ApiResponse<'GET /api/opt-out-settings'>;

function RepliesFormCard({ settings }: { settings: Answer }) {
  const queryClient = useQueryClient();
  const form = useZodForm(RepliesForm, formValuesOf(settings));
  const save = useMutation({
    mutationFn: (body: OptOutSettings) => callApi('PUT /api/opt-out-settings', { body }),
    onSuccess: (saved) => {
      queryClient.setQueryData(optOutSettingsQuery().queryKey, saved);
      form.reset(formValuesOf(saved));
      notify.success('Opt-out settings saved');
    },
    onError: (error) => reportFailure(form, error, 'Failed to save the settings'),
  });
  const [isOn, confirmsOut, confirmsIn] = useWatch({
    control: form.control,
    name: ['recognizes_replies', 'confirms_opt_out', 'confirms_opt_in'],
  });

  function fillDefaults(): void {
    const { recognizes_replies: _, ...defaults } = formValuesOf(settings.defaults);
    for (const [name, value] of Object.entries(defaults)) {
      form.setValue(name as keyof typeof defaults, value, { shouldDirty: true, shouldValidate: true });
    }
  }

  return (
    <form noValidate onSubmit={(event) => void form.handleSubmit((values) => save.mutate(values))(event)}>
      <Card
        {...texts}
        footer={
          <>
            <Button
              needs="contacts:write"
              type="submit"
              variant="primary"
              size="small"
              disabled={!form.formState.isDirty}
              busy={save.isPending && 'Saving...'}
            >
              Save Changes
            </Button>
            <Button size="small" variant="ghost" onClick={fillDefaults}>
              Fill in the defaults
            </Button>
          </>
        }
      >
        <div className="grid gap-5">
          <Switch
            form={form}
            name="recognizes_replies"
            label="Recognise replies"
            hint="Off, people can be opted out by you and your programs alone. In most countries they must be able to do it themselves."
          />
          {isOn && (
            <div className="grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-2 lg:gap-x-8">
              <TextArea
                form={form}
                name="opt_out_words"
                label="Words that opt out"
                hint="One a line."
                rows={8}
                spellCheck={false}
              />
              <TextArea
                form={form}
                name="opt_in_words"
                label="Words that opt in again"
                hint="One a line. They count for who has opted out."
                rows={8}
                spellCheck={false}
              />
              <div className="grid content-start gap-3">
                <Switch form={form} name="confirms_opt_out" label="Confirm an opt-out" />
                {confirmsOut && (
                  <TextArea form={form} name="opt_out_text" label="Confirmation" rows={3} maxLength={4096} />
                )}
              </div>
              <div className="grid content-start gap-3">
                <Switch form={form} name="confirms_opt_in" label="Confirm an opt-in" />
                {confirmsIn && (
                  <TextArea form={form} name="opt_in_text" label="Confirmation" rows={3} maxLength={4096} />
                )}
              </div>
            </div>
          )}
        </div>
        <FormFailure form={form} className="mt-4" />
      </Card>
    </form>
  );
}
