import { createProfile } from '#contracts/profiles.ts';
import type { NewProfile } from '#contracts/profiles.ts';
import { syncWhatsappTemplates } from '#contracts/whatsapp-templates.ts';
import type { CloudApiStandIn } from '../cloud-api/stand-in.ts';
import type { TestApplication } from './application.ts';
import { makeSegment } from './audience.ts';
import { connectOfficial } from './connect-official.ts';
import { makeProject, signUpSubscriber } from './customer.ts';

/** A customer with a project whose number is one of the stand-in, connected, with its webhook verified. */
export async function officialScene(app: TestApplication, meta: CloudApiStandIn) {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  const { api } = customer;
  const { callback, ...phone } = await connectOfficial(meta, { customer, url: app.url, projectId: project.id });
  return {
    api,
    app,
    customer,
    project,
    phone,
    callback,
    sync: async () => (await api.call(syncWhatsappTemplates, { body: {} })).body,
    /** A segment of these people, whose numbers follow `from`. */
    async segment(people: readonly Partial<NewProfile>[], from = 4915110002000): Promise<number> {
      for (const [index, person] of people.entries()) {
        const custom_fields = { group: 'all', ...person.custom_fields };
        await api.call(createProfile, { body: { phone: `+${from + index}`, ...person, custom_fields } });
      }
      return (await makeSegment(customer)).id;
    },
    async send(body: object) {
      const response = await fetch(`${app.url}/api/send-message`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key },
        body: JSON.stringify(body),
      });
      type Answer = { id: number; code?: string; message: string; errors?: { path: string; message: string }[] };
      return { status: response.status, body: (await response.json()) as Answer };
    },
  };
}
export type OfficialScene = Awaited<ReturnType<typeof officialScene>>;
