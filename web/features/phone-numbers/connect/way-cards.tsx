import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { BadgeCheck, Check, FlaskConical, Minus, Plus, QrCode, type LucideIcon } from 'lucide-react';
import { connectorTraits, isSimulated, type ConnectorName } from '#contracts/connectors.ts';
import { paths } from '#web/shared/paths.ts';
import { useIsOnTrial } from '#web/shared/session.ts';
import { Button, buttonClass } from '#web/shared/ui/button.tsx';
import { connectingNeeds } from '../changes-need.ts';

type Way = {
  connector: ConnectorName;
  icon: LucideIcon;
  title: string;
  hint: string;
  pros: readonly string[];
  cons: readonly string[];
  /** Of three. */
  risk: 0 | 1 | 3;
  facts: readonly (readonly [name: string, value: string, hint?: string])[];
  action: string;
};

const ways: readonly Way[] = [
  {
    connector: 'whatsapp',
    icon: QrCode,
    title: 'Scan a QR code',
    hint: 'Your own WhatsApp, linked like WhatsApp Web',
    pros: [
      'Works in two minutes, with the number you have',
      'No approval and no fee per message',
      'You keep using the app on the handset',
    ],
    cons: [
      'Not an official way for programs: WhatsApp may limit or ban the number',
      'New numbers warm up: 10 first contacts a day, then more',
      'The handset must go online every 14 days',
    ],
    risk: 3,
    facts: [
      ['Costs', 'Nothing per message'],
      ['Risk', 'Real', 'Lower with protection on, never none'],
      ['Takes', '2 minutes'],
      ['Best for', 'Support by hand, small lists'],
    ],
    action: 'Scan a QR code',
  },
  {
    connector: 'cloud',
    icon: BadgeCheck,
    title: 'Official WhatsApp API',
    hint: 'The Cloud API, with your own business account',
    pros: [
      'Allowed, so no ban for sending by program',
      'From 250 people a day up to no limit',
      'Templates, buttons, quality and prices in the open',
    ],
    cons: [
      'After 24 hours of silence only approved templates',
      'Every template is reviewed first',
      'The number leaves the WhatsApp app, unless you share it',
    ],
    risk: 1,
    facts: [
      ['Costs', 'By WhatsApp, per delivered message'],
      ['Risk', 'Low', 'Bad quality pauses templates only'],
      ['Takes', '30 minutes, or days to verify'],
      ['Best for', 'Campaigns, notifications, teams'],
    ],
    action: 'Connect it',
  },
  {
    connector: 'sandbox',
    icon: FlaskConical,
    title: 'Sandbox',
    hint: 'A made-up number with a handset on the screen',
    pros: [
      'One click, nothing to link',
      'Same API, webhooks and states as a real number',
      'You answer as the customer',
    ],
    cons: ['Reaches nobody', 'Real phones have quirks that it has not'],
    risk: 0,
    facts: [
      ['Costs', 'Nothing'],
      ['Risk', 'None', 'Nothing leaves Dovepost'],
      ['Takes', '5 seconds'],
      ['Best for', 'Building and trying out'],
    ],
    action: 'Create a sandbox',
  },
];

type WayCardsProps = { chosen: ConnectorName | undefined; onChoose: (connector: ConnectorName) => void };

export function WayCards({ chosen, onChoose }: WayCardsProps) {
  return (
    <div className="grid gap-4 lg:grid-cols-3">
      {ways.map((way) => (
        <WayCard
          key={way.connector}
          way={way}
          isChosen={chosen === way.connector}
          onChoose={() => onChoose(way.connector)}
        />
      ))}
    </div>
  );
}

function WayCard({ way, isChosen, onChoose }: { way: Way; isChosen: boolean; onChoose: () => void }) {
  const isOnTrial = useIsOnTrial();
  const { icon: Icon, title, hint, pros, cons, risk, facts, action, connector } = way;
  const { link } = connectorTraits[connector];
  return (
    <article
      aria-label={title}
      className={clsx('flex flex-col rounded-base border bg-surface', isChosen && 'border-accent')}
    >
      <header className="flex items-start gap-3 px-4 pt-4 sm:px-5">
        <span className="grid size-9 shrink-0 place-items-center rounded-base bg-sunken text-muted">
          <Icon aria-hidden="true" className="size-4.5" />
        </span>
        <div className="min-w-0">
          <h2 className="text-14">{title}</h2>
          <p className="text-13 text-muted">{hint}</p>
        </div>
      </header>
      <Points points={pros} icon={Plus} look="text-green-ink" label="For it" />
      <Points points={cons} icon={Minus} look="text-muted" label="Against it" />
      <dl className="mt-auto grid gap-2 border-t px-4 py-4 text-13 sm:px-5">
        {facts.map(([name, value, more]) => (
          <div key={name} className="grid grid-cols-[5rem_1fr] gap-x-3">
            <dt className="text-muted">{name}</dt>
            <dd>
              {name === 'Risk' && <RiskMeter level={risk} />}
              {value}
              {more !== undefined && <span className="block text-12 text-muted">{more}</span>}
            </dd>
          </div>
        ))}
      </dl>
      <footer className="border-t px-4 py-3 sm:px-5">
        {isOnTrial && !isSimulated(connector) ? (
          <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
            <p className="text-13 text-muted">Not part of the trial</p>
            <Link to={paths.subscription} className={buttonClass()}>
              Choose a plan
            </Link>
          </div>
        ) : isChosen && link === 'credentials' ? (
          <p className="flex h-(--control) items-center gap-2 text-13 font-medium">
            <Check aria-hidden="true" className="size-4 text-green-ink" />
            Chosen, steps below
          </p>
        ) : (
          <Button
            needs={connectingNeeds(connector)}
            variant={link === (isOnTrial ? 'none' : 'credentials') ? 'primary' : undefined}
            icon={<Icon aria-hidden="true" className="size-4" />}
            className="w-full"
            onClick={onChoose}
          >
            {action}
          </Button>
        )}
      </footer>
    </article>
  );
}

/** The word beside it says it. */
function RiskMeter({ level }: { level: Way['risk'] }) {
  const look = level === 3 ? 'bg-red-dot' : 'bg-green-dot';
  return (
    <span aria-hidden="true" className="mr-2 inline-flex gap-0.5 align-middle">
      {[1, 2, 3].map((step) => (
        <span key={step} className={clsx('h-1 w-3 rounded-full', step <= level ? look : 'bg-line-strong')} />
      ))}
    </span>
  );
}

type PointsProps = { points: readonly string[]; icon: LucideIcon; look: string; label: string };

function Points({ points, icon: Icon, look, label }: PointsProps) {
  return (
    <ul aria-label={label} className="grid gap-1.5 px-4 pt-4 text-13 last-of-type:pb-4 sm:px-5">
      {points.map((point) => (
        <li key={point} className="flex gap-2">
          <Icon aria-hidden="true" className={clsx('mt-0.75 size-3.5 shrink-0', look)} />
          <span className="text-pretty">{point}</span>
        </li>
      ))}
    </ul>
  );
}
