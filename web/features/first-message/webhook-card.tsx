import { Link } from '@tanstack/react-router';
import { Webhook } from 'lucide-react';
import { useState } from 'react';
import type { Message } from '#contracts/messages.ts';
import type { Project } from '#contracts/projects.ts';
import { paths } from '#web/shared/paths.ts';
import { formatTimeToSecond } from '#web/shared/time-format.ts';
import { buttonClass } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { CopyButton } from '#web/shared/ui/copy-button.tsx';
import { eventsOf } from './events-of.ts';

const shownAtMost = 6;

/** The events of the chat with their bodies; the newest is shown until another one is chosen. */
export function WebhookCard({ project, messages }: { project: Project; messages: readonly Message[] }) {
  const [chosen, setChosen] = useState<string>();
  const events = eventsOf(messages)
    .slice(-shownAtMost)
    .map((event) => ({ ...event, key: `${event.type} ${event.data.id}` }));
  const shown = events.find(({ key }) => key === chosen) ?? events.at(-1);
  const { type, timestamp, data } = shown ?? {};
  const body = JSON.stringify({ type, timestamp, data }, null, 2);
  return (
    <Card
      flush
      title="Webhook"
      description="What your server gets, as it happens"
      className="overflow-hidden"
      actions={
        <Link
          to={paths.developers}
          params={{ projectId: String(project.id) }}
          search={{ tab: 'webhooks' }}
          className={buttonClass('secondary', 'small')}
        >
          <Webhook aria-hidden="true" className="size-4" />
          {project.webhook_url === null ? 'Add your URL' : 'See deliveries'}
        </Link>
      }
    >
      {shown === undefined ? (
        <p className="px-4 py-10 text-center text-13 text-muted sm:px-5">Send a message, and its events appear here.</p>
      ) : (
        <>
          <ol className="py-1.5">
            {events.map((event) => (
              <li key={event.key}>
                <button
                  type="button"
                  aria-pressed={event.key === shown.key}
                  onClick={() => setChosen(event.key)}
                  className="flex w-full items-center justify-between gap-3 px-4 py-1.5 text-13 hover:bg-hover focus-visible:-outline-offset-2 aria-pressed:bg-accent-subtle sm:px-5"
                >
                  <code>{event.type}</code>
                  <span className="text-muted tabular-nums">{formatTimeToSecond(event.timestamp)}</span>
                </button>
              </li>
            ))}
          </ol>
          <div className="relative border-t bg-sunken">
            <div className="absolute top-2 right-2">
              <CopyButton
                value={body}
                label="Copy"
                texts={{ copied: 'Copied to clipboard', failed: 'Failed to copy' }}
              />
            </div>
            <pre
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region takes the focus
              tabIndex={0}
              role="region"
              aria-label="Body of the event"
              className="max-h-90 overflow-auto px-4 py-3.5 text-12 text-code focus-visible:-outline-offset-2 sm:px-5"
            >
              {body}
            </pre>
          </div>
        </>
      )}
    </Card>
  );
}
