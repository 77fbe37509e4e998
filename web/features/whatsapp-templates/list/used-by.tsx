import { Link } from '@tanstack/react-router';
import type { WhatsappTemplate } from '#contracts/whatsapp-templates.ts';
import { paths } from '#web/shared/paths.ts';

type Use = WhatsappTemplate['used_by'][number];

const words: Readonly<Record<Use['type'], readonly [one: string, many: string]>> = {
  campaign: ['campaign', 'campaigns'],
  flow: ['flow', 'flows'],
  bulk_run: ['bulk run', 'bulk runs'],
};

/** Its name where something alone sends it, else how many do. */
export function UsedBy({ uses }: { uses: readonly Use[] }) {
  const [only] = uses;
  if (only === undefined) return <span className="whitespace-nowrap text-muted">Nothing yet</span>;
  if (uses.length === 1) return <UseLink use={only} />;
  return <span className="text-muted">{usesInWords(uses)}</span>;
}

/** `2 flows and 1 campaign` */
export function usesInWords(uses: readonly Use[]): string {
  const counts = (Object.keys(words) as Use['type'][]).flatMap((type) => {
    const count = uses.filter((use) => use.type === type).length;
    return count === 0 ? [] : [`${count} ${words[type][count === 1 ? 0 : 1]}`];
  });
  return new Intl.ListFormat('en-GB').format(counts);
}

export function UseLink({ use: { type, id, name } }: { use: Use }) {
  const className = 'text-accent-ink hover:underline';
  const text = <bdi>{name}</bdi>;
  switch (type) {
    case 'campaign':
      return (
        <Link to={paths.campaign} params={{ campaignId: String(id) }} className={className}>
          {text}
        </Link>
      );
    case 'flow':
      return (
        <Link to={paths.flow} params={{ flowId: String(id) }} className={className}>
          {text}
        </Link>
      );
    case 'bulk_run':
      return (
        <Link to={paths.bulkRun} params={{ runId: String(id) }} className={className}>
          {text}
        </Link>
      );
  }
}
