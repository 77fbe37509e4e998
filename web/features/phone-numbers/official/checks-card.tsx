import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleX } from 'lucide-react';
import { z } from 'zod';
import { CloudAccess, type NumberCheck, type PhoneNumber } from '#contracts/phone-numbers.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { FormFailure } from '#web/shared/form/form-failure.tsx';
import { reportFailure } from '#web/shared/form/submit-form.ts';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { useConnectPhone } from '#web/shared/phone-link/use-connect-phone.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';

/** The sentence of a check that is right, and of one that is not. */
const titles: Readonly<Record<string, readonly [right: string, wrong: string]>> = {
  token: ['Token is valid', 'Token does not do'],
  app_secret: ['App secret is right', 'App secret is wrong'],
  number: ['Number belongs to the ID', 'Number does not belong to the ID'],
  registration: ['Number is registered', 'Number is not registered'],
  business_account: ['Business account can be read', 'Business account cannot be read'],
  subscription: ['App is subscribed', 'App is not subscribed'],
  payment: ['Payment method works', 'Payment method does not work'],
  health: ['Number may send', 'Number may not send'],
  webhook: ['Webhook is ours and signed', 'Webhook has not come'],
};

function checksQuery(phoneId: number) {
  return queryOptions({
    queryKey: [...queryKeys.phone(phoneId), 'checks'],
    queryFn: ({ signal }) => callApi('POST /api/phone-numbers/{phoneId}/test', { params: { phoneId } }, { signal }),
    // Each one is six questions to Meta, who counts them.
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
}

/** Asks Meta for everything that sending needs, and says what to do where something is missing. */
export function ChecksCard({ phone }: { phone: PhoneNumber }) {
  const { data, error, isFetching, refetch } = useQuery(checksQuery(phone.id));
  const wrong = data?.checks.filter(({ ok }) => !ok).length ?? 0;
  const summary = data && (wrong === 0 ? 'Everything is fine' : `${data.checks.length - wrong} fine, ${wrong} to mend`);
  return (
    <Card
      flush
      title="Test"
      description="Asks Meta for everything that sending needs. Sends nothing."
      actions={
        <Button size="small" busy={isFetching && 'Testing...'} onClick={() => void refetch()}>
          Test again
        </Button>
      }
      footer={
        <p role="status" className="text-13 text-muted">
          {isFetching ? 'Asking Meta' : summary}
        </p>
      }
    >
      {data === undefined && error !== null ? (
        <ErrorPanel
          title="Failed to test the number"
          detail={errorText(error, 'Try again in a moment.')}
          onRetry={() => void refetch()}
        />
      ) : data === undefined ? (
        <div aria-busy="true" className="grid gap-4 px-4 py-4 sm:px-5">
          {[1, 2, 3, 4].map((row) => (
            <Skeleton key={row} className="h-8" />
          ))}
        </div>
      ) : (
        <ul className="divide-y">
          {data.checks.map((check) => (
            <Check key={check.name} check={check} phone={phone} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Check({ check: { name, ok, message }, phone }: { check: NumberCheck; phone: PhoneNumber }) {
  const Icon = ok ? CircleCheck : CircleX;
  const [right, wrong] = titles[name] ?? [name, name];
  return (
    <li className="flex gap-3 px-4 py-3 sm:px-5">
      <Icon
        aria-label={ok ? 'Right' : 'To mend'}
        role="img"
        className={ok ? 'mt-0.5 size-4 shrink-0 text-green-ink' : 'mt-0.5 size-4 shrink-0 text-red-ink'}
      />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{ok ? right : wrong}</p>
        <p className="text-13 text-pretty wrap-anywhere text-muted">{message}</p>
        {name === 'registration' && !ok && <RegisterForm phone={phone} />}
      </div>
    </li>
  );
}

const PinForm = z.object({ pin: CloudAccess.shape.pin.unwrap() });

/** Registers the number: its PIN is stored, and connecting hands it to Meta. */
function RegisterForm({ phone }: { phone: PhoneNumber }) {
  const queryClient = useQueryClient();
  const form = useZodForm(PinForm, { pin: '' });
  const connect = useConnectPhone(phone);
  const register = useMutation({
    mutationFn: async ({ pin }: { pin: string }) => {
      await callApi('PUT /api/phone-numbers/{phoneId}', { params: { phoneId: phone.id }, body: { cloud: { pin } } });
      await connect.mutateAsync();
    },
    onError: (error) => {
      if (!connect.isError) reportFailure(form, error, 'Failed to register the number');
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: checksQuery(phone.id).queryKey }),
  });
  return (
    <form
      noValidate
      onSubmit={(event) => void form.handleSubmit((values) => register.mutate(values))(event)}
      className="mt-2 flex flex-wrap items-end gap-2"
    >
      <TextField
        form={form}
        name="pin"
        label="Two-step PIN of this number"
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        placeholder="6 digits"
        className="w-48"
      />
      <Button type="submit" busy={register.isPending && 'Registering...'}>
        Register now
      </Button>
      <FormFailure form={form} className="basis-full" />
    </form>
  );
}
