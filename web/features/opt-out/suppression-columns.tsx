import { BellRing } from 'lucide-react';
import type { Suppression, SuppressionSource } from '#contracts/suppressions.ts';
import type { Column } from '#web/shared/table/data-table.tsx';
import { RowAction, RowActions } from '#web/shared/table/row-action.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { PhoneText } from '#web/shared/ui/phone-text.tsx';
import { Tag } from '#web/shared/ui/tag.tsx';

export const sourceWords: Readonly<Record<SuppressionSource, string>> = {
  reply: 'By reply',
  user: 'In the dashboard',
  api: 'By API',
  import: 'By import',
};

export function suppressionColumns(onRemove: (suppression: Suppression) => void): readonly Column<Suppression>[] {
  return [
    {
      id: 'phone',
      header: 'Phone',
      onCard: 'title',
      cell: ({ phone, topic }) => (
        <span className="inline-flex flex-wrap items-center gap-2 font-medium">
          <PhoneText digits={phone} />
          {topic === 'marketing' && <Tag>Marketing only</Tag>}
        </span>
      ),
    },
    { id: 'since', header: 'Since', cell: ({ opted_out_at: at }) => <DateTime at={at} /> },
    { id: 'by', header: 'How', cell: ({ by }) => sourceWords[by] },
    {
      id: 'why',
      header: 'Why',
      fluid: true,
      cell: ({ evidence, note }) => whyText(evidence?.text, note) ?? <span className="text-faint">–</span>,
    },
    {
      id: 'actions',
      header: 'Actions',
      align: 'right',
      onCard: 'actions',
      // Contacts who stopped marketing in WhatsApp resume it there.
      cell: (suppression) =>
        suppression.topic === 'marketing' ? null : (
          <RowActions>
            <RowAction
              needs="contacts:write"
              label="Opt in again"
              subject={suppression.phone.startsWith('lid:') ? 'hidden number' : `+${suppression.phone}`}
              icon={<BellRing aria-hidden="true" className="size-4" />}
              onClick={() => onRemove(suppression)}
            />
          </RowActions>
        ),
    },
  ];
}

function whyText(said: string | undefined, note: string | null) {
  const parts = [...(said === undefined ? [] : [`“${said}”`]), ...(note === null ? [] : [note])];
  return parts.length === 0 ? undefined : <bdi>{parts.join(' · ')}</bdi>;
}
