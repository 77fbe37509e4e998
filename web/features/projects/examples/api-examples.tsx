import type { ReactNode } from 'react';
import type { Project } from '#contracts/projects.ts';
import { CodeExample } from '#web/shared/code/code-example.tsx';
import { sendMessageSamples } from '#web/shared/code/send-message-samples.ts';
import { webhookSamples } from './webhook-samples.ts';

/** How a program sends and hears of messages, with this project's keys. */
export function ApiExamples({ project }: { project: Project }) {
  const { auth_key: authKey, webhook_secret: secret, webhook_url: url } = project;
  return (
    <div className="grid min-w-0 gap-4 sm:gap-6">
      <Example title="API usage" hint="Sends a message; the answer tells what became of it.">
        <CodeExample
          label="API usage"
          samples={sendMessageSamples({ origin: location.origin, authKey: authKey ?? 'YOUR_AUTH_KEY' })}
          secret={{ value: authKey ?? '', label: 'auth key' }}
        />
      </Example>
      <p className="text-13 text-muted">
        Keys, errors, webhooks and every endpoint:{' '}
        <a href="/docs" className="font-medium text-accent-text underline underline-offset-2">
          read the documentation
        </a>
      </p>
      <Example title="Webhook payload" hint="What arrives at your webhook URL, and receivers that check the signature.">
        <CodeExample
          label="Webhook payload"
          samples={webhookSamples({ secret: secret ?? 'YOUR_SIGNING_SECRET', url })}
          secret={{ value: secret ?? '', label: 'signing secret' }}
        />
      </Example>
    </div>
  );
}

function Example({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid min-w-0 gap-2">
      <div>
        <h2 className="text-14">{title}</h2>
        <p className="text-13 text-muted">{hint}</p>
      </div>
      {children}
    </section>
  );
}
