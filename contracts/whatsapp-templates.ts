import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { ListSearch } from './list-query.ts';
import { Id, IdParam, pageOf, pageQuery, Timestamp } from './page.ts';
import { HeaderMedia, ParameterFormat, TemplateComponent, TemplateVariable } from './whatsapp-template-parts.ts';

/** Only an approved template can be sent. `other` stands for states that networks may add. */
export const WhatsappTemplateStatus = z
  .enum(['pending', 'approved', 'rejected', 'paused', 'disabled', 'other'])
  .describe('Only an `approved` template can be sent. `other`: a state that is not known here.');
export type WhatsappTemplateStatus = z.infer<typeof WhatsappTemplateStatus>;

export const WhatsappTemplateCategory = z.enum(['marketing', 'utility', 'authentication']);
export type WhatsappTemplateCategory = z.infer<typeof WhatsappTemplateCategory>;

export const TemplateLanguage = z
  .string('Enter a language')
  .trim()
  .min(2, 'Enter a language')
  .max(20, 'Use at most 20 characters')
  .regex(/^[A-Za-z]{2,3}([_-][A-Za-z0-9]{2,8})*$/, 'Enter a language such as en or pt_BR')
  .describe('As the network has it, such as `en`, `en_US` or `pt_BR`.');

/** A template of a business account, as the network that approves it has it. */
export const WhatsappTemplate = z.object({
  id: Id.describe('Its id.'),
  business_account_id: z.string().describe('The WhatsApp Business Account that it belongs to.'),
  name: z.string().describe('Its name, for people.'),
  language: z.string().describe('As the network has it, such as `pt_BR`.'),
  category: WhatsappTemplateCategory,
  status: WhatsappTemplateStatus.describe('How far it has come, or how it is now.'),
  reason: z.string().nullable().describe('Why it is in its status, where the network says so.'),
  paused_until: Timestamp.nullable().describe('When a pause ends, where the network said how long it is.'),
  quality: z.enum(['high', 'medium', 'low', 'unknown']).describe('What people made of it.'),
  parameter_format: ParameterFormat.describe('Whether its variables have names or positions.'),
  components: z.array(TemplateComponent).describe('Its parts, in the form of the network.'),
  variables: z.array(TemplateVariable).describe('The variables that a message has to fill.'),
  header_media: HeaderMedia.nullable().describe('The kind of file that a message has to bring for its header.'),
  used_by: z
    .array(
      z.object({
        type: z.enum(['campaign', 'flow', 'bulk_run']).describe('What kind it is.'),
        id: Id.describe('Its id.'),
        name: z.string().describe('Its name, for people.'),
      }),
    )
    .describe('What may yet send it: campaigns and runs that are not over, and flows; at most 20 of each.'),
  delivered_30d: z
    .int()
    .nonnegative()
    .describe('How many of its messages of the last 30 days were delivered, of the projects that the caller may see.'),
  read_30d: z.int().nonnegative().describe('How many of those were read, as far as people let it be known.'),
  created_at: Timestamp.describe('When it was made.'),
  updated_at: Timestamp.describe('When something about it changed last.'),
  synced_at: Timestamp.describe('When the network was last asked for it.'),
});
export type WhatsappTemplate = z.infer<typeof WhatsappTemplate>;

const access = { callers: ['user', 'api_key', 'project_key'], needsSubscription: true } as const;

export const whatsappTemplateParams = z.object({
  whatsappTemplateId: IdParam.describe('The id of a WhatsApp template.'),
});

export const listWhatsappTemplates = endpoint({
  ...access,
  method: 'GET',
  path: '/api/whatsapp-templates',
  reads: 'page',
  permission: 'templates:read',
  summary: 'The WhatsApp templates of the business accounts, by name and language',
  query: z.object({
    ...pageQuery(50),
    status: WhatsappTemplateStatus.optional().describe('Those with this status alone.'),
    category: WhatsappTemplateCategory.optional().describe('Of one category.'),
    language: TemplateLanguage.optional(),
    name: z.string().max(512).optional().describe('Of one name, in all its languages.'),
    business_account_id: z.string().max(40).optional().describe('Of one WhatsApp Business Account.'),
    project_id: IdParam.optional().describe('Of the business accounts of the numbers of a project.'),
    search: ListSearch.describe('Words of the name and the text, or their parts.'),
  }),
  response: { 200: pageOf(WhatsappTemplate) },
});

export const getWhatsappTemplate = endpoint({
  ...access,
  method: 'GET',
  path: '/api/whatsapp-templates/{whatsappTemplateId}',
  permission: 'templates:read',
  summary: 'One WhatsApp template',
  params: whatsappTemplateParams,
  response: { 200: WhatsappTemplate },
});

export const syncWhatsappTemplates = endpoint({
  ...access,
  method: 'POST',
  path: '/api/whatsapp-templates/sync',
  audit: {
    act: 'whatsapp_template.synced',
    row: 'none',
    because: 'Meta has what is approved; nothing is decided here.',
  },
  idempotency: 'recorded',
  permission: 'templates:write',
  summary: 'Read the WhatsApp templates anew from the network; it happens by itself every few hours and after news',
  body: z.object({
    phone_id: Id.optional().describe(
      'A number of the official API: its business account alone. Left out: all of them.',
    ),
  }),
  response: {
    200: z.object({
      templates: z.int().nonnegative().describe('Templates of the business accounts now.'),
      added: z.int().nonnegative().describe('How many were put on the list.'),
      changed: z.int().nonnegative().describe('Templates whose text, status, category or quality is another.'),
      removed: z.int().nonnegative().describe('Templates that the network no longer has.'),
    }),
  },
  errors: ['not_an_official_number', 'network_refused'],
});

const components = z
  .array(TemplateComponent)
  .min(1, 'Add a BODY')
  .max(4, 'A template has at most 4 parts')
  .describe('Its parts, in the form of the network.');

const examples = z
  .record(z.string().max(100), z.string().trim().min(1, 'Enter an example').max(500, 'Use at most 500 characters'))
  .optional()
  .describe('An example of each variable for the review, by its name; a part may bring its `example` itself.');

const headerMedia = z
  .object({
    id: z.string('Name a file by its id').min(1, 'Name a file by its id').max(100).describe('Of `POST /api/media`.'),
  })
  .optional()
  .describe(
    'The file that reviewers see in a header of a picture, a video or a document; each message brings its own.',
  );

export const NewWhatsappTemplate = z.object({
  business_account_id: z.string().max(40).optional().describe('Where the account has numbers of more than one.'),
  phone_id: Id.optional().describe('A number of the business account, in place of `business_account_id`.'),
  name: z
    .string('Enter a name')
    .regex(/^[a-z0-9_]{1,512}$/, 'Use small letters, digits and _')
    .describe('Small letters, digits and `_`; it cannot be changed later.'),
  language: TemplateLanguage,
  category: WhatsappTemplateCategory,
  parameter_format: ParameterFormat.default('named').describe('Whether its variables have names or positions.'),
  components,
  examples,
  header_media: headerMedia,
});
export type NewWhatsappTemplate = z.output<typeof NewWhatsappTemplate>;

export const WhatsappTemplateChange = z.object({
  category: WhatsappTemplateCategory.optional().describe('Not of a template that is approved.'),
  components: components.optional(),
  examples,
  header_media: headerMedia,
});
export type WhatsappTemplateChange = z.output<typeof WhatsappTemplateChange>;

const changeErrors = ['not_an_official_number', 'template_refused', 'network_refused'] as const;

export const createWhatsappTemplate = endpoint({
  ...access,
  method: 'POST',
  path: '/api/whatsapp-templates',
  audit: { act: 'whatsapp_template.created', row: 'around', intent: 'whatsapp_template.create_requested' },
  idempotency: 'recorded',
  permission: 'templates:write',
  summary: 'Hand a new WhatsApp template in for review',
  body: NewWhatsappTemplate,
  response: { 201: WhatsappTemplate },
  errors: [...changeErrors],
});

export const updateWhatsappTemplate = endpoint({
  ...access,
  method: 'PATCH',
  path: '/api/whatsapp-templates/{whatsappTemplateId}',
  audit: { act: 'whatsapp_template.changed', row: 'around', intent: 'whatsapp_template.change_requested' },
  permission: 'templates:write',
  summary:
    'Change a WhatsApp template, which is reviewed again: once a day and ten times in 30 days where it is approved',
  params: whatsappTemplateParams,
  body: WhatsappTemplateChange,
  response: { 200: WhatsappTemplate },
  errors: [...changeErrors],
});

export const deleteWhatsappTemplate = endpoint({
  ...access,
  method: 'DELETE',
  path: '/api/whatsapp-templates/{whatsappTemplateId}',
  audit: { act: 'whatsapp_template.deleted', row: 'around', intent: 'whatsapp_template.delete_requested' },
  permission: 'templates:write',
  summary: 'Delete one language of a WhatsApp template, at the network too; its name stays blocked there for 30 days',
  params: whatsappTemplateParams,
  response: { 204: undefined },
  errors: [...changeErrors],
});
