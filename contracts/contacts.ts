import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { writtenPerson } from './new-message.ts';
import { Id, Timestamp } from './page.ts';

/** How a person is shown on WhatsApp, as one phone of the account is told. */
export const Contact = z.object({
  number: z
    .string()
    .nullable()
    .describe('The number that WhatsApp knows the person by, digits; null while only the LID is known.'),
  lid: z.string().nullable().describe("The network's own address of the person."),
  name: z.string().nullable().describe('The name that the person goes by; null until they have written.'),
  about: z.string().nullable().describe('The text below their name; null where they show none.'),
  photo: z.string().nullable().describe('A small picture as a data URL; null where they show none.'),
  is_blocked: z.boolean().describe('Whether the phone takes nothing from the person.'),
  phone_id: Id.describe('The phone that was told: the one that they wrote to last, while it is connected.'),
  fetched_at: Timestamp.describe('WhatsApp is asked once a day.'),
});
export type Contact = z.infer<typeof Contact>;

/** The `data` of the webhook `contact.changed`: the person as WhatsApp shows them now. */
export const ContactChange = z.object({
  phone: z.string().nullable().describe('Digits; null while only the LID is known.'),
  lid: z.string().nullable().describe("The network's own address of the person, where it is known."),
  profile_id: Id.nullable().describe('Null when nobody with that number is kept.'),
  name: z.string().nullable().describe('The name that the person goes by.'),
  changed: z
    .array(z.enum(['number', 'name', 'about', 'photo']))
    .describe('`number`: it was learnt. About and photo as `GET /api/contacts/{number}` last answered them.'),
  at: Timestamp.describe('When it was made.'),
});
export type ContactChange = z.infer<typeof ContactChange>;

const common = {
  callers: ['user', 'api_key'],
  needsSubscription: true,
  params: z.object({ phone: writtenPerson() }),
  response: { 200: Contact },
  errors: [
    'number_not_clear',
    'no_connected_phone',
    'not_supported',
    'phone_not_connected',
    'look_ups_used_up',
    'look_ups_paused',
    'not_on_whatsapp',
    'network_refused',
    'phone_silent',
  ],
} as const;

export const getContact = endpoint({
  ...common,
  method: 'GET',
  path: '/api/contacts/{phone}',
  permission: 'contacts:read',
  summary: "A known person's photo, name and about, as WhatsApp shows them",
});

export const blockContact = endpoint({
  ...common,
  method: 'PUT',
  path: '/api/contacts/{phone}/block',
  audit: { act: 'contact.blocked', row: 'around', intent: 'contact.block_requested' },
  permission: 'contacts:write',
  summary: 'Block a person: the phone that they wrote to last takes nothing from them any more',
});

export const unblockContact = endpoint({
  ...common,
  method: 'DELETE',
  path: '/api/contacts/{phone}/block',
  audit: { act: 'contact.unblocked', row: 'around', intent: 'contact.unblock_requested' },
  permission: 'contacts:write',
  summary: 'Unblock a person',
});
