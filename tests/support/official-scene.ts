import { createProfile } from '#contracts/profiles.ts';
import type { NewProfile } from '#contracts/profiles.ts';
import { addPhoneNumber, connectPhone } from '#contracts/phone-numbers.ts';
import { syncWhatsappTemplates } from '#contracts/whatsapp-templates.ts';
import type { StandInTemplate } from '../cloud-api/account.ts';
import type { CloudApiStandIn } from '../cloud-api/stand-in.ts';
import type { TestApplication } from './application.ts';
import { makeSegment } from './audience.ts';
import { makeProject, signUpSubscriber } from './customer.ts';

/** A customer with a project whose number is one of the stand-in, connected, with its webhook verified. */
export async function officialScene(app: TestApplication, meta: CloudApiStandIn) {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  const { api } = customer;
  const { body: phone } = await api.call(addPhoneNumber, {
    params: { projectId: project.id },
    body: { phone_number: meta.number.display, connector: 'cloud', cloud: meta.credentials },
  });
  await api.call(connectPhone, { params: { phoneId: phone.id } });
  // The product under test listens on a port that the system chose, which its PUBLIC_URL does not know.
  const callback = new URL(new URL(phone.cloud?.callback_url ?? '').pathname, app.url).href;
  await meta.webhooks.configure(callback, phone.cloud?.verify_token ?? '');
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

let count = 0;

/** A template at Meta, approved unless it says otherwise, with a name of its own. */
export function addTemplate(meta: CloudApiStandIn, parts: Partial<StandInTemplate> = {}): StandInTemplate {
  count += 1;
  const template: StandInTemplate = {
    id: String(8_000_000 + count),
    name: `spring_sale_${count}`,
    language: 'en_US',
    category: 'UTILITY',
    parameter_format: 'NAMED',
    status: 'APPROVED',
    rejected_reason: 'NONE',
    quality_score: { score: 'GREEN', date: 0 },
    components: [{ type: 'BODY', text: 'Hi {{first_name}}, order {{order}} is ready.' }],
    ...parts,
  };
  meta.account.templates.set(template.id, template);
  return template;
}
