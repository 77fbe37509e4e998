import { Smartphone, Webhook, Workflow } from 'lucide-react';
import { Chat, ChatBubble } from '#web/shared/ui/chat-bubble.tsx';
import { StatusDot } from '#web/shared/ui/status-badge.tsx';

const points = [
  { icon: Smartphone, text: 'Phone rotation' },
  { icon: Workflow, text: 'One simple API' },
  { icon: Webhook, text: 'Signed webhooks' },
] as const;

/** Shows the product at a glance: the request, the message, the receipt. */
export function ProductGlance() {
  return (
    <aside
      aria-label="About Dovepost"
      className="hidden flex-col justify-center gap-8 border-l bg-sidebar bg-[radial-gradient(circle_at_1px_1px,var(--border)_1px,transparent_0)] bg-size-[24px_24px] p-12 *:mx-auto *:w-full *:max-w-120 min-[900px]:flex"
    >
      <div>
        <h2 className="text-20 text-balance">Send WhatsApp messages from your own number, with one request.</h2>
        <p className="mt-1 text-pretty text-muted">
          Link a phone by QR code, post to the API, and watch each message arrive.
        </p>
      </div>
      <div aria-hidden="true" className="relative grid">
        <div className="mr-10 overflow-hidden rounded-base bg-surface shadow-popover">
          <p className="border-b px-4 py-2.5 text-13 font-medium text-muted">POST /api/send-message</p>
          <RequestSketch />
        </div>
        <Chat className="-mt-4 w-76 justify-self-end rounded-large px-4.5 py-4 shadow-popover">
          <ChatBubble text="Your order is on its way" time="14:08" status="read" />
          <ChatBubble text="Wonderful, thank you!" time="14:09" />
        </Chat>
        <p className="absolute bottom-8.5 -left-4 flex items-center gap-2 rounded-base bg-raised px-2.5 py-2 text-12 shadow-popover">
          <StatusDot color="green" />
          <span className="font-medium">message.delivered</span>
        </p>
      </div>
      <ul className="flex flex-wrap gap-x-5 gap-y-2 text-muted">
        {points.map(({ icon: Icon, text }) => (
          <li key={text} className="flex items-center gap-2">
            <Icon aria-hidden="true" className="size-4 text-accent-ink" />
            {text}
          </li>
        ))}
      </ul>
    </aside>
  );
}

function RequestSketch() {
  const text = (value: string) => <span className="text-code-string">{`'${value}'`}</span>;
  return (
    <pre className="overflow-hidden px-4 py-3.5 text-13 text-code">
      <span className="text-code-keyword">await</span> fetch({text('/api/send-message')}, {'{\n'}
      {'  method: '}
      {text('POST')}
      {',\n  headers: {\n    '}
      {text('x-auth-key')}
      {': key,\n    '}
      {text('content-type')}
      {': '}
      {text('application/json')}
      {',\n  },\n  body: JSON.stringify({\n    to: '}
      {text('14155550132')}
      {',\n    message: '}
      {text('Your order is on its way')}
      {',\n  }),\n})'}
    </pre>
  );
}
