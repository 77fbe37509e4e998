import { useQuery } from '@tanstack/react-query';
import { Receipt } from 'lucide-react';
import { DataTable } from '#web/shared/table/data-table.tsx';
import { usePageInUrl } from '#web/shared/table/page-in-url.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { paymentColumns } from './payment-columns.tsx';
import { paymentsPageSize as pageSize, paymentsQuery } from './payments-query.ts';

/** Lists payments, newest first; the route lists `payments` among its pages. */
export function PaymentHistory() {
  const [page, onPage] = usePageInUrl('payments');
  const query = useQuery(paymentsQuery(page));
  const isPaged = page > 1 || (query.data?.total ?? 0) > pageSize;
  return (
    <Card flush title="Payments">
      <DataTable
        label="Payments"
        columns={paymentColumns}
        rowKey={({ id }) => id}
        query={query}
        {...(isPaged && { paging: { page, pageSize, onPage } })}
        empty={
          <EmptyState icon={<Receipt />} title="No payments yet" hint="Each payment appears here once it is taken." />
        }
        failureText="Failed to load payments"
        loadingText="Loading payments..."
        skeletonRows={3}
      />
    </Card>
  );
}
