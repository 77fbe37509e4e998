import { Spinner } from '#web/shared/ui/spinner.tsx';

/** Appears when a page takes its time to arrive. */
export function PendingPage() {
  return (
    <p role="status" className="flex min-h-60 items-center justify-center gap-2 text-muted">
      <Spinner />
      Loading...
    </p>
  );
}
