import type { Payment, PaymentStatus } from '#contracts/billing.ts';
import type { Column } from '#web/shared/table/data-table.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { Badge, statusWord, type StatusColor } from '#web/shared/ui/status-badge.tsx';
import { formatPrice } from './format-price.ts';

const statusColors: Record<PaymentStatus, StatusColor> = {
  completed: 'green',
  refunded: 'gray',
  reversed: 'yellow',
  failed: 'red',
};

export const paymentColumns: readonly Column<Payment>[] = [
  { id: 'date', header: 'Date', onCard: 'title', cell: ({ paid_at }) => <DateTime at={paid_at} /> },
  {
    id: 'order',
    header: 'Order',
    fluid: true,
    cell: ({ order_id }) => <span className="font-mono text-12 text-muted">{order_id}</span>,
  },
  {
    id: 'status',
    header: 'Status',
    onCard: 'badge',
    cell: ({ status }) => <Badge color={statusColors[status]}>{statusWord(status)}</Badge>,
  },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    cell: ({ amount, currency }) => formatPrice({ price: amount, currency }),
  },
];
