import { useMutation } from '@tanstack/react-query';
import { callApi } from '../api.ts';
import { errorText } from '../api-error.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { notify } from '../ui/toast-store.ts';

const codePart = 4;
const copyTexts = { copied: 'Pairing code copied to clipboard', failed: 'Failed to copy pairing code' };

/** The way without a camera: a code to type on the handset. */
export function PairingCode({ phoneId }: { phoneId: number }) {
  const request = useMutation({
    mutationFn: () => callApi('POST /api/phone-numbers/{phoneId}/pairing-code', { params: { phoneId } }),
    onError: (error) => notify.error(errorText(error, 'Failed to get a pairing code')),
  });

  if (request.isPending) {
    return (
      <p role="status" className="flex items-center gap-2">
        <Spinner className="text-accent-ink" />
        Getting a pairing code...
      </p>
    );
  }
  if (request.isSuccess) return <Code code={request.data.pairing_code} />;
  return (
    <p>
      Cannot scan?{' '}
      <button type="button" onClick={() => request.mutate()} className="font-medium text-accent-ink hover:underline">
        Use a pairing code
      </button>
    </p>
  );
}

function Code({ code }: { code: string }) {
  return (
    <div role="status" className="grid gap-1.5">
      <p>
        Instead of scanning, tap <strong className="font-medium text-ink">Link with phone number instead</strong> and
        enter:
      </p>
      <p className="flex items-center gap-1">
        <code className="inline-block rounded-small border bg-sunken px-2.5 py-1 text-16 font-semibold tracking-widest text-ink">
          {`${code.slice(0, codePart)}-${code.slice(codePart)}`}
        </code>
        <CopyButton iconOnly value={code} label="Copy pairing code" texts={copyTexts} />
      </p>
    </div>
  );
}
