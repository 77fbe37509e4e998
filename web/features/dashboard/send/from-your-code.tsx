import type { Project } from '#contracts/projects.ts';
import { CodeExample } from '#web/shared/code/code-example.tsx';
import { sendMessageSamples } from '#web/shared/code/send-message-samples.ts';

/** For who would rather see the request than the form. */
export function FromYourCode({ project }: { project: Project }) {
  const [curl] = sendMessageSamples({ origin: location.origin, authKey: project.auth_key });
  return (
    <CodeExample
      label="The same, from your code"
      samples={[curl]}
      secret={{ value: project.auth_key, label: 'auth key' }}
    />
  );
}
