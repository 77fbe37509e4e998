import { Inbox } from 'lucide-react';
import { CodeExample } from '#web/shared/code/code-example.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { Chat, ChatBubble } from '#web/shared/ui/chat-bubble.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { QrPanel } from '#web/shared/ui/qr-panel.tsx';

const statuses = ['pending', 'sent', 'delivered', 'read', 'failed'] as const;
const image = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>';
const inAMinute = new Date(Date.now() + 60_000).toISOString();

export function ContentParts() {
  return (
    <>
      <Card
        title="Card"
        description="With a description"
        actions={<Button size="small">Action</Button>}
        footer="A footer"
      >
        Its content
      </Card>
      <Card title="Empty" flush>
        <EmptyState
          icon={<Inbox aria-hidden="true" />}
          title="No projects"
          hint="Get started by creating a new project."
          action={<Button>New Project</Button>}
        />
      </Card>
      <Card title="Failed" flush>
        <ErrorPanel title="Failed to load project" detail="The server is starting." onRetry={() => undefined} />
      </Card>
      <Card title="Chat" flush>
        <Chat>
          <ChatBubble text="When will it arrive?" time="14:06" />
          {statuses.map((status) => (
            <ChatBubble key={status} text={`Your order 1042 is on its way (${status})`} time="14:08" status={status} />
          ))}
        </Chat>
      </Card>
      <Card title="Code">
        <div className="grid gap-4">
          <CodeExample
            label="API usage"
            samples={[
              { language: 'curl', code: `curl https://example.com/api/send-message \\\n  -d '{"to": "14155550132"}'` },
              { language: 'python', code: 'import requests  # a comment\nrequests.post(url, json={"to": 1})' },
            ]}
          />
          <CodeExample label="Webhook payload" samples={[{ language: 'json', code: '{ "type": "message.read" }' }]} />
        </div>
      </Card>
      <Card title="QR code, waiting">
        <QrPanel qr={undefined} />
      </Card>
      <Card title="QR code">
        <QrPanel
          qr={{ image, expiresAt: inAMinute }}
          phoneNumber="14155550123"
          alternative="The way without a camera"
        />
      </Card>
    </>
  );
}
