import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '#web/shared/api-error.ts';
import { loadCurrentUser } from '#web/shared/current-user.ts';
import { CodeExample, type CodeSample } from '#web/shared/code/code-example.tsx';
import { askForIdentity } from '#web/shared/identity-question.ts';
import { useSession } from '#web/shared/session.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

/** How a program tells what people do, with the reader's own key. */
export function SendEvents() {
  const { user } = useSession();
  const apiKey = user?.api_key ?? null;
  // Kept as it is: each sending of the example is another event.
  const [id] = useState(() => `order-${Date.now()}`);
  return (
    <Card
      id="send"
      title="Send your own"
      description={
        <>
          Runs as pasted: the event appears above within a second.{' '}
          <a href="/docs/events" className="font-medium text-accent-text underline underline-offset-2">
            Guide
          </a>
        </>
      }
      actions={apiKey === null && <ShowKey />}
    >
      <CodeExample
        label="Track an event"
        samples={samplesOf({ origin: location.origin, key: apiKey ?? 'YOUR_API_KEY', id })}
        secret={{ value: apiKey ?? '', label: 'API key' }}
      />
      <ul className="mt-4 grid list-disc gap-1 pl-5 text-13 text-muted">
        <li>
          A person is named by <code>phone</code>, <code>external_id</code> or <code>profile_id</code>; an unknown phone
          becomes a profile.
        </li>
        <li>
          The same <code>message_id</code> counts once within 7 days: send it again as often as you like.
        </li>
        <li>
          <code>timestamp</code> may lie up to 90 days back. Up to 500 events go at once to{' '}
          <code>/api/events/batch</code>.
        </li>
      </ul>
    </Card>
  );
}

function ShowKey() {
  const show = useMutation({
    mutationFn: async () => ((await askForIdentity()) ? loadCurrentUser() : undefined),
    onSuccess: (current) => {
      if (current?.user.api_key === null)
        notify.info('Somebody else made this key. It is shown to them and to owners.');
    },
    onError: (error) => notify.error(errorText(error, 'Failed to show the API key')),
  });
  return (
    <Button size="small" busy={show.isPending && 'Showing...'} onClick={() => show.mutate()}>
      Put my key in
    </Button>
  );
}

type Target = { origin: string; key: string; id: string };

function samplesOf({ origin, key, id }: Target): readonly [CodeSample, ...CodeSample[]] {
  const url = `${origin}/api/track`;
  return [
    {
      language: 'curl',
      code: `curl ${url} \\
  -H 'authorization: ${key}' \\
  -H 'content-type: application/json' \\
  -d '{
    "phone": "+14155550132",
    "event": "Order placed",
    "properties": { "total": 64.5, "currency": "EUR" },
    "message_id": "${id}"
  }'`,
    },
    {
      language: 'javascript',
      code: `// Node 20 or newer: node track.mjs
const response = await fetch('${url}', {
  method: 'POST',
  headers: {
    authorization: '${key}',
    'content-type': 'application/json',
  },
  body: JSON.stringify({
    phone: '+14155550132',
    event: 'Order placed',
    properties: { total: 64.5, currency: 'EUR' },
    message_id: '${id}',
  }),
});
console.log(response.status, await response.json());`,
    },
  ];
}
