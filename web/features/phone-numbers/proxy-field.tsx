import { useMutation } from '@tanstack/react-query';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { MetaSecret, PhoneNumberChange, type PhoneNumber, type ProxyTrial } from '#contracts/phone-numbers.ts';
import { ProxyUrl } from '#contracts/phone-proxy.ts';
import { callApi } from '#web/shared/api.ts';
import { TextField } from '#web/shared/form/text-field.tsx';
import type { FormOf } from '#web/shared/form/use-zod-form.ts';
import { Button } from '#web/shared/ui/button.tsx';

/** The editable fields of a phone; an empty proxy is none. */
export const PhoneForm = PhoneNumberChange.omit({ protection: true, cloud: true, calls: true }).extend({
  proxy: z.union([z.literal(''), ProxyUrl]),
  is_protected: z.boolean(),
  rejects_calls: z.boolean(),
  /** Empty: the caller is sent nothing. */
  rejected_call_text: z.string().trim().max(1000, 'Use at most 1000 characters'),
  /** Of a number of the official API; empty, what is kept stays. */
  access_token: MetaSecret,
  app_secret: MetaSecret,
});

type ProxyFieldProps = { form: FormOf<z.input<typeof PhoneForm>>; phone: PhoneNumber };

/** The proxy of a phone, with a button that tries the one in the field. */
export function ProxyField({ form, phone }: ProxyFieldProps) {
  const typed = useWatch({ control: form.control, name: 'proxy' });
  const isSaved = typed === phone.proxy;
  const trial = useMutation({
    mutationFn: (proxy: string): Promise<ProxyTrial> =>
      callApi('POST /api/phone-numbers/{phoneId}/proxy/test', {
        params: { phoneId: phone.id },
        // The saved one is tried with its password, which is not shown here.
        body: proxy === phone.proxy ? {} : { proxy },
      }),
    onError: (error) => form.setError('proxy', { message: error.message }),
  });
  async function test(): Promise<void> {
    if (await form.trigger('proxy')) trial.mutate(form.getValues('proxy'));
  }
  return (
    <div className="grid gap-2">
      <TextField
        form={form}
        name="proxy"
        label="Proxy (Optional)"
        hint={
          isSaved
            ? 'Its user name and password are kept and not shown. Clear the field to connect directly.'
            : 'http, https or socks5. Everything of this phone goes through it.'
        }
        placeholder="socks5://user:password@proxy.example.com:1080"
        autoComplete="off"
        spellCheck={false}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button
          size="small"
          disabled={typed.trim() === ''}
          busy={trial.isPending && 'Testing...'}
          onClick={() => void test()}
        >
          Test proxy
        </Button>
        <p role="status" className="min-w-0 flex-1 text-13 text-pretty wrap-anywhere">
          {trial.data && trial.variables === typed && <TrialResult trial={trial.data} />}
        </p>
      </div>
    </div>
  );
}

function TrialResult({ trial: { works, message } }: { trial: ProxyTrial }) {
  const Icon = works ? CircleCheck : CircleAlert;
  return (
    <span className="flex gap-2">
      <Icon
        aria-hidden="true"
        className={works ? 'mt-0.75 size-3.5 shrink-0 text-green-ink' : 'mt-0.75 size-3.5 shrink-0 text-red-ink'}
      />
      {message}
    </span>
  );
}
