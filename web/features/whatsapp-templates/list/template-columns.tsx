import { Link } from '@tanstack/react-router';
import { CornerDownRight } from 'lucide-react';
import { partOf } from '#contracts/whatsapp-template-parts.ts';
import type { WhatsappTemplate } from '#contracts/whatsapp-templates.ts';
import { paths } from '#web/shared/paths.ts';
import type { Column } from '#web/shared/table/data-table.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { RelativeTime } from '#web/shared/ui/relative-time.tsx';
import { categoryWords, languageName } from '#web/shared/whatsapp-template/template-words.ts';
import type { BusinessAccount } from '../business-accounts.ts';
import { Quality, TemplateBadge } from '../template-state.tsx';
import { TemplateMenu } from './template-menu.tsx';
import { UsedBy } from './used-by.tsx';
import { VariableText } from './variable-text.tsx';

type Setting = {
  /** Named where there are several. */
  accounts: readonly BusinessAccount[];
  /** The ids of rows whose name stands in the row above. */
  repeated: ReadonlySet<number>;
  canWrite: boolean;
  onDelete: (template: WhatsappTemplate) => void;
};

export function templateColumns({
  accounts,
  repeated,
  canWrite,
  onDelete,
}: Setting): readonly Column<WhatsappTemplate>[] {
  const account: Column<WhatsappTemplate> = {
    id: 'account',
    header: 'Business account',
    wideOnly: true,
    cell: ({ business_account_id: id }) => (
      <bdi className="text-muted">{accounts.find((each) => each.id === id)?.name ?? id}</bdi>
    ),
  };
  return [
    {
      id: 'name',
      header: 'Name',
      onCard: 'title',
      fluid: true,
      cell: (template) => <Name template={template} isRepeated={repeated.has(template.id)} />,
    },
    {
      id: 'category',
      header: 'Category',
      cell: ({ category }) => <span className="text-muted">{categoryWords[category]}</span>,
    },
    {
      id: 'language',
      header: 'Language',
      cell: ({ language }) => (
        <span title={`${languageName(language)}, ${language}`} className="block max-w-44 truncate text-muted">
          <span className="min-[720px]:max-xl:hidden">{languageName(language)}</span>
          <span className="max-[720px]:hidden xl:hidden">{language}</span>
        </span>
      ),
    },
    ...(accounts.length > 1 ? [account] : []),
    { id: 'status', header: 'Status', onCard: 'badge', cell: (template) => <State template={template} /> },
    { id: 'quality', header: 'Quality', cell: ({ quality }) => <Quality quality={quality} /> },
    { id: 'used', header: 'Used by', wideOnly: true, cell: ({ used_by: uses }) => <UsedBy uses={uses} /> },
    {
      id: 'delivered',
      header: 'Delivered, 30 d',
      align: 'right',
      wideOnly: 'widest',
      cell: ({ delivered_30d: delivered }) => <Figure>{delivered === 0 ? '–' : delivered.toLocaleString('en')}</Figure>,
    },
    {
      id: 'read',
      header: 'Read',
      align: 'right',
      wideOnly: 'widest',
      cell: ({ delivered_30d: delivered, read_30d: read }) => (
        <Figure>{delivered === 0 ? '–' : percent.format(read / delivered)}</Figure>
      ),
    },
    {
      id: 'actions',
      header: 'Actions',
      quietHeader: true,
      align: 'right',
      onCard: 'actions',
      cell: (template) => <TemplateMenu template={template} canWrite={canWrite} onDelete={onDelete} />,
    },
  ];
}

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 });

function Figure({ children }: { children: string }) {
  return <span className="tabular-nums">{children}</span>;
}

function Name({ template, isRepeated }: { template: WhatsappTemplate; isRepeated: boolean }) {
  const { id, name, reason } = template;
  return (
    <span className="flex min-w-0 gap-2">
      {isRepeated && (
        <CornerDownRight aria-hidden="true" className="mt-1 size-3.5 shrink-0 text-faint max-[720px]:hidden" />
      )}
      <span className="grid min-w-0">
        <Link
          to={paths.whatsappTemplate}
          params={{ whatsappTemplateId: String(id) }}
          title={name}
          className="truncate font-mono text-13 font-medium hover:underline"
        >
          {name}
        </Link>
        <VariableText text={partOf(template, 'BODY')?.text ?? ''} />
        {reason !== null && (
          <small className="text-12 text-muted first-letter:uppercase min-[720px]:hidden">{reason}</small>
        )}
      </span>
    </span>
  );
}

function State({ template: { status, reason, paused_until: until, updated_at: at } }: { template: WhatsappTemplate }) {
  return (
    <span className="grid justify-items-start gap-0.5">
      <TemplateBadge status={status} />
      {reason !== null && (
        <small
          title={reason}
          className="block max-w-56 truncate text-12 text-muted first-letter:uppercase max-[720px]:hidden"
        >
          {reason}
        </small>
      )}
      {until !== null && (
        <small className="text-12 text-muted max-[720px]:hidden">
          Until <DateTime at={until} />
        </small>
      )}
      {status === 'pending' && (
        <small className="text-12 text-muted max-[720px]:hidden">
          Since <RelativeTime at={at} />
        </small>
      )}
    </span>
  );
}
