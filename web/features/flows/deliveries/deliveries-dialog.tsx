import { useQuery } from '@tanstack/react-query';
import type { Flow } from '#contracts/flows.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Dialog, DialogFooter } from '#web/shared/ui/dialog.tsx';
import { ScrollRegion } from '#web/shared/ui/scroll-region.tsx';
import { deliveriesPageSize, deliveriesQuery } from '../flow-queries.ts';
import { DeliveriesTable } from './deliveries-table.tsx';

type DeliveriesDialogProps = {
  flow: Flow;
  projectName: (projectId: number) => string;
  page: number;
  onPage: (page: number) => void;
  onClose: () => void;
};

/** The sent and pending deliveries of a flow, newest first. */
export function DeliveriesDialog({ flow, projectName, page, onPage, onClose }: DeliveriesDialogProps) {
  const total = useQuery(deliveriesQuery(flow.id, { page })).data?.total;
  const isLast = total === undefined || page * deliveriesPageSize >= total;
  return (
    <Dialog isOpen onClose={onClose} size="wide" title={`Deliveries — ${flow.name}`}>
      <ScrollRegion
        label="Deliveries, scrolling"
        className="mt-5 min-h-0 flex-1 border-t sm:[&_tr>:first-child]:pl-6 sm:[&_tr>:last-child]:pr-6"
      >
        <DeliveriesTable flowId={flow.id} projectName={projectName} search={{ page }} />
      </ScrollRegion>
      <DialogFooter>
        <p className="mr-auto text-13 text-muted tabular-nums">
          {total !== undefined && `Total: ${total.toLocaleString('en')}`}
        </p>
        <nav aria-label="Deliveries, pages" className="flex items-center gap-2 text-13 text-muted tabular-nums">
          <Button size="small" disabled={page <= 1} onClick={() => onPage(page - 1)}>
            Prev
          </Button>
          <span aria-live="polite">Page {page.toLocaleString('en')}</span>
          <Button size="small" disabled={isLast} onClick={() => onPage(page + 1)}>
            Next
          </Button>
        </nav>
        <Button data-autofocus onClick={onClose} className="max-sm:w-full">
          Close
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
