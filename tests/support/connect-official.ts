import { addPhoneNumber, connectPhone } from '#contracts/phone-numbers.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import type { StandInTemplate } from '../cloud-api/account.ts';
import type { CloudApiStandIn } from '../cloud-api/stand-in.ts';
import type { Customer } from './customer.ts';

type Connecting = { customer: Pick<Customer, 'api'>; url: string; projectId: number; name?: string };

/** Adds the stand-in's number to a project, connects it, and has its callback verified. Answers it as it was added. */
export async function connectOfficial(
  meta: CloudApiStandIn,
  { customer: { api }, url, projectId, name }: Connecting,
): Promise<PhoneNumber & { callback: string }> {
  Object.assign(meta.number, { isRegistered: true });
  const { body: phone } = await api.call(addPhoneNumber, {
    params: { projectId },
    body: {
      phone_number: meta.number.display,
      connector: 'cloud',
      cloud: meta.credentials,
      ...(name !== undefined && { name }),
    },
  });
  await api.call(connectPhone, { params: { phoneId: phone.id } });
  const callback = await verifyCallback(meta, phone, url);
  return { ...phone, callback };
}

/** The product under test listens on a port that the system chose, which its PUBLIC_URL does not know. */
export async function verifyCallback(meta: CloudApiStandIn, { cloud }: PhoneNumber, url: string): Promise<string> {
  const callback = new URL(new URL(cloud?.callback_url ?? '').pathname, url).href;
  if (!(await meta.webhooks.configure(callback, cloud?.verify_token ?? '')))
    throw new Error('The callback was not verified');
  return callback;
}

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

/** The content of a message: a template of `addTemplate`, its variables filled. */
export const filled = ({ name, language }: StandInTemplate) => ({
  type: 'template',
  template: { name, language, variables: { first_name: 'Ana', order: 'S-1' } },
});
