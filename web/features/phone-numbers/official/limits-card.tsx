import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { CloudFacts, CloudSetup } from '#contracts/phone-numbers.ts';
import { formatDateTime } from '#web/shared/time-format.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { RelativeTime } from '#web/shared/ui/relative-time.tsx';
import { figuresQuery } from './figures-query.ts';

const qualityWords: Readonly<Record<CloudFacts['quality'], { word: string; look: string }>> = {
  high: { word: 'High', look: 'text-green-ink' },
  medium: { word: 'Medium', look: 'text-yellow-ink' },
  low: { word: 'Low', look: 'text-red-ink' },
  unknown: { word: 'Not rated yet', look: '' },
};

type LimitsCardProps = { phoneId: number; setup: CloudSetup; facts: CloudFacts };

/** Meta's limits for the number, and its quality rating, beside how its messages fare. */
export function LimitsCard({ phoneId, setup, facts }: LimitsCardProps) {
  const { data: figures } = useQuery(figuresQuery(phoneId));
  const { facts_at: at, people_begun: begun, holds } = setup;
  const { word, look } = qualityWords[facts.quality];
  return (
    <Card
      title="Limits and quality"
      description={
        <>
          {facts.verified_name === null ? 'No display name yet' : `Shown as “${facts.verified_name}”`}
          {at !== null && (
            <>
              {' · asked '}
              <RelativeTime at={at} />
            </>
          )}
        </>
      }
    >
      {holds.map(({ scope, reason, until }) => (
        <div key={`${scope} ${reason}`} className="mb-4">
          <Notice
            color={scope === 'all' ? 'red' : 'yellow'}
            title={scope === 'all' ? 'Meta lets it send nothing' : 'Meta lets it begin with nobody'}
          >
            {reason}
            {until !== null && ` Until ${formatDateTime(until)}.`}
            {scope === 'begin' && ' People who wrote within 24 hours are answered as before.'}
          </Notice>
        </div>
      ))}
      <dl className="grid grid-cols-2 gap-4 tabular-nums sm:grid-cols-3 2xl:grid-cols-5">
        <Fact name="People begun with, 24 h" hint="All numbers of the portfolio together.">
          {limitText(facts, begun)}
        </Fact>
        <Fact
          name="Quality"
          hint={facts.quality === 'low' ? 'Bad quality pauses templates.' : 'As people rate it lately.'}
        >
          <span className={look}>{word}</span>
        </Fact>
        <Fact
          name="Throughput"
          hint={facts.is_shared ? 'Shared with the WhatsApp Business app.' : 'In and out together.'}
        >
          {facts.messages_per_second.toLocaleString('en')} a second
        </Fact>
        <Fact name="Delivered, 24 h" hint={figures ? `Of ${figures.sent_24h.toLocaleString('en')} sent.` : ''}>
          {shareText(figures?.delivered_24h, figures?.sent_24h)}
        </Fact>
        <Fact
          name="Templates read, 7 d"
          hint={figures ? `Of ${figures.templates_delivered_7d.toLocaleString('en')} delivered.` : ''}
        >
          {shareText(figures?.templates_read_7d, figures?.templates_delivered_7d)}
        </Fact>
      </dl>
    </Card>
  );
}

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

const shareText = (part = 0, of = 0) => (of === 0 ? '–' : percent.format(Math.min(1, part / of)));

function limitText({ is_unlimited: isUnlimited, people_per_day: people }: CloudFacts, begun: number): string {
  const so = begun.toLocaleString('en');
  if (isUnlimited) return `${so}, no limit`;
  return people === null ? `${so}, limit not known` : `${so} of ${people.toLocaleString('en')}`;
}

function Fact({ name, hint, children }: { name: string; hint: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-13 text-muted">{name}</dt>
      <dd>
        <span className="block text-16 font-semibold">{children}</span>
        <span className="text-12 text-muted">{hint}</span>
      </dd>
    </div>
  );
}
