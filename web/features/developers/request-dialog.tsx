import type { ApiRequest } from '#contracts/request-log.ts';
import { CodeExample } from '#web/shared/code/code-example.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { Dialog, DialogBody } from '#web/shared/ui/dialog.tsx';
import { requestCurl } from './request-curl.ts';

type RequestDialogProps = { request: ApiRequest; keyName: string; onClose: () => void };

/** A request as the log has it, and as a command for a terminal. */
export function RequestDialog({ request, keyName, onClose }: RequestDialogProps) {
  const { method, path, status, code, duration_ms: ms, created_at: at, request_id: id } = request;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`${method} ${path}`}
      description="Texts, numbers and values of the query are not kept."
    >
      <DialogBody>
        <div className="grid gap-4">
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-13">
            <dt className="text-muted">Status</dt>
            <dd>
              {status}{' '}
              {code !== null && (
                <a className="underline" href={`/docs/errors#${code}`}>
                  <code>{code}</code>
                </a>
              )}
            </dd>
            <dt className="text-muted">When</dt>
            <dd>
              <DateTime at={at} />, {ms.toLocaleString('en')} ms
            </dd>
            <dt className="text-muted">Key</dt>
            <dd>
              <bdi>{keyName}</bdi>
            </dd>
            <dt className="text-muted">Request id</dt>
            <dd>
              <code className="wrap-anywhere select-all">{id}</code>
            </dd>
          </dl>
          <CodeExample
            label="As curl"
            samples={[{ language: 'curl', code: requestCurl(request, window.location.origin) }]}
          />
        </div>
      </DialogBody>
    </Dialog>
  );
}
