import { CircleAlert, RefreshCw } from 'lucide-react';
import { Button } from './button.tsx';

type ErrorPanelProps = {
  /** The failure, such as 'Failed to load project'. */
  title: string;
  /** Why, and what to do; the server's words where there are any. */
  detail?: string | undefined;
  onRetry?: (() => void) | undefined;
};

export function ErrorPanel({ title, detail = 'Try again in a moment.', onRetry }: ErrorPanelProps) {
  return (
    <div role="alert" className="grid justify-items-center gap-1 px-6 py-12 text-center">
      <span className="mb-3 grid size-10 place-items-center rounded-base border bg-surface text-red-ink shadow-control">
        <CircleAlert aria-hidden="true" className="size-4.5" />
      </span>
      <p className="font-semibold">{title}</p>
      {detail !== title && <p className="max-w-[52ch] text-pretty text-muted">{detail}</p>}
      {onRetry !== undefined && (
        <Button size="small" className="mt-4" icon={<RefreshCw className="size-4" />} onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
