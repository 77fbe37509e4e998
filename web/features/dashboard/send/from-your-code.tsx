import type { Project } from '#contracts/projects.ts';
import { CodeExample } from '#web/shared/code/code-example.tsx';
import { sendMessageSamples } from '#web/shared/code/send-message-samples.ts';

/** For who would rather see the request than the form. */
export function FromYourCode({ project }: { project: Project }) {
  const authKey = project.auth_key ?? 'YOUR_AUTH_KEY';
  const [curl] = sendMessageSamples({ origin: location.origin, authKey });
  return (
    <CodeExample label="The same, from your code" samples={[curl]} secret={{ value: authKey, label: 'auth key' }} />
  );
}
