import { z } from 'zod';
import { CurrentSubscription } from './billing.ts';
import { BulkRunEvent } from './bulk-runs.ts';
import { CampaignEvent } from './campaigns.ts';
import { ContactChange } from './contacts.ts';
import { Conversation } from './conversations.ts';
import { TrackedEvent } from './events.ts';
import type { JsonSchema } from './openapi-examples.ts';
import type { createSchemas } from './openapi-schemas.ts';
import { Message } from './messages.ts';
import { Timestamp } from './page.ts';
import { PhoneNumber } from './phone-numbers.ts';
import { FinishedImport } from './profile-imports.ts';
import { ContactOptOut } from './suppressions.ts';
import { WebhookEventType, WebhookPayload } from './webhooks.ts';

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** As Standard Webhooks says (https://www.standardwebhooks.com). */
const headers = {
  WebhookId: header('webhook-id', 'Names the event: the same each time it is delivered. Keep it to leave doubles out.'),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'When this attempt was made, seconds since 1970. Refuse one that is over 5 minutes off.',
  ),
  WebhookSignature: header(
    'webhook-signature',
    'One or more of `v1,<base64>`, with spaces between: the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` ' +
      'with the bytes that the secret spells in base64 after `whsec_`. One that fits is enough.',
  ),
};

const responses = {
  EventTaken: { description: 'Any 2xx: it is not sent again' },
  EndpointGone: { description: 'The endpoint is gone, and is switched off' },
};

/** The parts of a document that every event refers to. */
export const eventParts = { parameters: headers, responses };

/** The schema of an event's `data`, by its type or the first part of it. */
const dataOf: Readonly<Record<string, z.ZodType>> = {
  message: Message,
  call: Message,
  conversation: Conversation,
  phone: PhoneNumber,
  contact: ContactOptOut,
  'contact.changed': ContactChange,
  campaign: CampaignEvent,
  bulk_run: BulkRunEvent,
  import: FinishedImport,
  event: TrackedEvent,
  subscription: CurrentSubscription,
};

function eventSchema(type: string, { schemaOf }: ReturnType<typeof createSchemas>): JsonSchema {
  const data = dataOf[type] ?? dataOf[type.split('.', 1)[0] ?? ''] ?? z.record(z.string(), z.unknown());
  const event = z.object({
    id: WebhookPayload.shape.id,
    type: z.literal(type).describe('What happened.'),
    timestamp: Timestamp.describe('When it happened.'),
    sequence: WebhookPayload.shape.sequence,
    data: data.describe('The thing as it was right after.'),
  });
  return schemaOf(event, 'output');
}

/** The webhooks of the product, an operation for each type of event. */
export function webhookOperations(schemas: ReturnType<typeof createSchemas>): Record<string, object> {
  return Object.fromEntries(
    WebhookEventType.options.map((type) => [
      type,
      {
        post: {
          operationId: `on_${type.replaceAll('.', '_')}`,
          tags: ['Events'],
          summary: `The event \`${type}\``,
          description: `Sent to your endpoint when \`${type}\` happens; signed. Any 2xx within 15 seconds is success.`,
          security: [],
          parameters: Object.keys(headers).map((name) => ({ $ref: `#/components/parameters/${name}` })),
          requestBody: { required: true, content: { 'application/json': { schema: eventSchema(type, schemas) } } },
          responses: {
            200: { $ref: '#/components/responses/EventTaken' },
            410: { $ref: '#/components/responses/EndpointGone' },
          },
        },
      },
    ]),
  );
}
