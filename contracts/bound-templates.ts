import { z } from 'zod';
import { CarriedMedia } from './carried-media.ts';
import { maxTextLength } from './message-content.ts';
import { refuseWrongLinks } from './own-links.ts';
import { TemplateLanguage, WhatsappTemplateCategory } from './whatsapp-templates.ts';

const BoundText = z
  .string('Use text for each value')
  .max(maxTextLength, `Use at most ${maxTextLength} characters`)
  .refine((text) => !text.includes('\u0000'), 'The text holds a character that cannot be sent')
  .superRefine(refuseWrongLinks);

const defaultText = z
  .string()
  .trim()
  .max(1024, 'Use at most 1024 characters')
  .nullable()
  .describe('What stands there where the text is empty for somebody; null: whoever lacks it is skipped.');

/** A variable of a template, bound to a text with placeholders. */
export const BoundVariable = z.object({
  text: z.string().describe('With placeholders: `{name}`, `{custom_fields.order}`; in a bulk run `{column}`.'),
  default: defaultText,
});
export type BoundVariable = z.infer<typeof BoundVariable>;

const NewBoundVariable = z
  .union([
    BoundText,
    z.object({
      text: BoundText.describe('With placeholders: `{name}`, `{custom_fields.order}`; in a bulk run `{column}`.'),
      default: defaultText.optional(),
    }),
  ])
  .transform((given): BoundVariable =>
    typeof given === 'string'
      ? { text: given, default: null }
      : { text: given.text, default: given.default === '' ? null : (given.default ?? null) },
  );

const maxVariables = 100;

/** The WhatsApp template that every message of a campaign, a flow or a bulk run is made of. */
export const NewBoundTemplate = z.object(
  {
    name: z
      .string('Enter the name of a template')
      .trim()
      .min(1, 'Enter the name of a template')
      .max(512)
      .describe('Its name, for people.'),
    language: TemplateLanguage.describe(
      'Of people whose own `language` the template does not have; as the network has it, such as `pt_BR`.',
    ),
    variables: z
      .record(z.string().max(100), NewBoundVariable)
      .refine((bound) => Object.keys(bound).length <= maxVariables, `Use at most ${maxVariables} variables`)
      .default({})
      .describe('What fills each variable, by its name: a text with placeholders, or the text with its default.'),
    header_media: z
      .object({ id: z.string().min(1).max(100).describe('Of `POST /api/media`.') })
      .nullable()
      .optional()
      .describe('The file of a header with a picture, a film or a document.'),
    version: z
      .string()
      .max(64)
      .optional()
      .describe('As the review answered it: a template that has changed since is refused with `template_changed`.'),
  },
  'Name a template',
);
export type NewBoundTemplate = z.output<typeof NewBoundTemplate>;

export const BoundTemplate = z.object({
  name: z.string().describe('Its name, for people.'),
  language: z.string().describe('Of people whose own `language` the template does not have.'),
  business_account_id: z.string().describe('The WhatsApp Business Account that it belongs to.'),
  category: WhatsappTemplateCategory.describe('When it was bound.'),
  languages: z.array(z.string()).describe('In which it goes out: each person gets it in their own where it is there.'),
  text: z.string().describe('Its body with the bound texts in place of the variables.'),
  variables: z.record(z.string(), BoundVariable).describe('What fills each variable, by its name.'),
  header_media: CarriedMedia.nullable().describe('The file of its header.'),
  version: z.string().describe('Of all its languages as they were bound; a change at Meta pauses what sends it.'),
});
export type BoundTemplate = z.infer<typeof BoundTemplate>;

/** Of what takes a template. */
export const templateErrors = ['template_refused', 'template_changed'] as const;

export const boundTemplateField = BoundTemplate.nullable().describe(
  'The WhatsApp template that every message is made of, in place of `message` and `media`; by numbers of the official API alone.',
);
