import type { Report } from '#contracts/reports.ts';
import { Card } from '../ui/card.tsx';
import { FigureLink } from './figure-link.tsx';
import { shareText } from './share-text.ts';

/** The links of the message and who opened them; nothing where it has none. */
export function LinksCard({ report: { links, clicked, sent } }: { report: Report }) {
  if (links.length === 0) return null;
  return (
    <Card title="Links">
      <p className="text-13 text-muted">
        <FigureLink figure={{ status: 'clicked' }}>
          <b className="font-medium text-ink tabular-nums">{clicked.toLocaleString('en')}</b>
          <span className="sr-only"> clicked, show them</span>
        </FigureLink>{' '}
        {clicked === 1 ? 'person' : 'people'} opened a link, {shareText(clicked, sent)} of those it was sent to.
        Previews of messengers do not count.
      </p>
      <ul aria-label="Links" className="mt-3 grid gap-2 border-t pt-3 text-13">
        {links.map(({ url, clicked: count }) => (
          <li key={url} className="flex justify-between gap-4">
            <bdi className="min-w-0 wrap-anywhere">{url}</bdi>
            <FigureLink figure={{ link: url }} className="shrink-0 font-medium tabular-nums">
              {count.toLocaleString('en')}
              <span className="sr-only"> opened it, show them</span>
            </FigureLink>
          </li>
        ))}
      </ul>
    </Card>
  );
}
