import { z } from 'zod';
import { MediaType, MessageType, maxCaptionLength, maxTextLength, PlayAs } from './message-content.ts';
import { Id } from './page.ts';
import { TemplateLanguage } from './whatsapp-templates.ts';
import { PhoneText } from './phone-numbers.ts';

export const MessageText = z
  .string('Enter a message')
  .max(maxTextLength, `Use at most ${maxTextLength} characters`)
  .refine((text) => text.trim() !== '', 'Enter a message')
  .refine((text) => !text.includes('\u0000'), 'The message holds a character that cannot be sent');

export const maxMetadataPairs = 20;

export const metadataKey = /^[A-Za-z0-9_.-]{1,40}$/;

/**
 * The caller's own data by which to find a message: kept with it, in its webhooks, and a filter of `GET /api/messages`.
 */
export const Metadata = z
  .record(
    z.string().regex(metadataKey, 'Name it with 1 to 40 letters, digits, points, hyphens and underscores'),
    z.string('Use text for each value').max(500, 'Use at most 500 characters'),
  )
  .refine((pairs) => Object.keys(pairs).length <= maxMetadataPairs, `Use at most ${maxMetadataPairs} pairs`);
export type Metadata = z.infer<typeof Metadata>;

const overrideOptOut = z
  .boolean()
  .optional()
  .describe('Sends to a number that has opted out what it has to get, such as a receipt; the record keeps it.');

export const OutgoingText = z.object({ to: PhoneText, message: MessageText, override_opt_out: overrideOptOut });
export type OutgoingText = z.output<typeof OutgoingText>;

export const SendableType = MessageType.exclude([
  'edit',
  'deletion',
  'order',
  'payment',
  'call',
  'waiting',
  'unsupported',
]);
export type SendableType = z.infer<typeof SendableType>;

/** Which file: one that was uploaded, or one that is fetched from an address, once, when the message is accepted. */
export const SentMedia = z
  .object({
    id: z.string().min(1).max(100).optional().describe('Of `POST /api/media`.'),
    url: z
      .url({ protocol: /^https?$/, error: 'Enter an http or https address' })
      .max(2048)
      .optional()
      .describe('Where it was sent.'),
    keep_metadata: z
      .boolean()
      .optional()
      .describe('With `url`: a picture goes as it is, with what its file says of place and camera.'),
  })
  .refine(({ id, url }) => (id === undefined) !== (url === undefined), 'Name a file by its id or by a url');
export type SentMedia = z.output<typeof SentMedia>;

const Place = z.object({
  latitude: z.number('Enter a number').min(-90, 'Use -90 to 90').max(90, 'Use -90 to 90').describe('Degrees.'),
  longitude: z.number('Enter a number').min(-180, 'Use -180 to 180').max(180, 'Use -180 to 180').describe('Degrees.'),
  name: z.string().trim().max(200, 'Use at most 200 characters').optional().describe('What is there.'),
  address: z.string().trim().max(1000, 'Use at most 1000 characters').optional().describe('Where it is, in words.'),
});

const ContactPhone = z.object({
  phone: z
    .string()
    .trim()
    .max(40, 'Use at most 40 characters')
    .regex(/^[+\d][\d\s\-().]*$/, 'Invalid number')
    .describe('As people should read it.'),
  type: z
    .string()
    .trim()
    .regex(/^[A-Za-z]{1,20}$/, 'Use letters, such as home')
    .optional()
    .describe('`cell`, `home`, `work` and the like.'),
});

const Card = z.object({
  name: z.string().trim().min(1, 'Enter a name').max(200, 'Use at most 200 characters').describe('Whose card it is.'),
  phones: z.array(ContactPhone).min(1, 'Add a number').max(20, 'Use at most 20 numbers').describe('Their numbers.'),
});

/** A flag, a key, or a picture with its skin tone, its tag and what is joined to it. */
const oneEmoji =
  /^(?:\p{RI}\p{RI}|[#*\d]\uFE0F?\u20E3|\p{ExtPict}\uFE0F?\p{EMod}?[\u{E0020}-\u{E007F}]*(?:\u200D\p{ExtPict}\uFE0F?\p{EMod}?)*)$/u;

const Reaction = z.object({
  message_id: Id.describe('The message of the conversation that it is about.'),
  emoji: z
    .string()
    .max(32, 'Use one emoji')
    .refine((text) => text === '' || oneEmoji.test(text), 'Use one emoji')
    .describe('One emoji; empty takes an earlier one back.'),
});

/** As WhatsApp has it. */
const Poll = z.object({
  question: z
    .string()
    .trim()
    .min(1, 'Enter a question')
    .max(255, 'Use at most 255 characters')
    .describe('What is asked.'),
  options: z
    .array(z.string().trim().min(1, 'Enter an option').max(100, 'Use at most 100 characters'))
    .min(2, 'Add at least 2 options')
    .max(12, 'Use at most 12 options')
    .refine((options) => new Set(options).size === options.length, 'Use each option once')
    .describe('What can be chosen.'),
  multiple: z.boolean().default(false).describe('Whether more than one option may be chosen.'),
});

/** An approved template, by its name and language. */
export const SentTemplate = z.object({
  name: z
    .string('Enter the name of a template')
    .trim()
    .min(1, 'Enter the name of a template')
    .max(512)
    .describe('Its name, for people.'),
  language: TemplateLanguage,
  variables: z
    .record(z.string().max(100), z.string('Use text for each value').trim().min(1, 'Enter a value').max(1024))
    .default({})
    .describe('A value for each of its variables, by their names.'),
  header_media: z
    .object({ id: z.string().min(1).max(100).describe('Of `POST /api/media`.') })
    .optional()
    .describe('The file of a header with a picture, a film or a document.'),
});
export type SentTemplate = z.output<typeof SentTemplate>;

const mediaTypes: ReadonlySet<string> = new Set(MediaType.options);
const captionedTypes: ReadonlySet<string> = new Set(['image', 'video', 'document']);

/** Digits of a linked number's network; of the official API a country, a dot and letters and digits. */
const hiddenId = String.raw`(?:\d{5,20}|[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128})`;
const writtenLid = new RegExp(`^(?:lid:)?(${hiddenId})(?:@lid)?$`);

/**
 * The network's own address of a person, which stands for a number that is not shown. Written as such, or as numbers
 * stand for it elsewhere (`lid:…`).
 */
export const Lid = z
  .string()
  .trim()
  .regex(writtenLid, 'Enter the digits of a LID')
  .transform((written) => writtenLid.exec(written)?.[1] ?? written)
  .describe('Of `from_lid` of a message: digits, or a user id of the official API such as `US.1349`.');

/** `lid:` and the address, in place of a number. */
export const HiddenPerson = z
  .string()
  .regex(new RegExp(`^lid:${hiddenId}$`), { abort: true })
  .transform((written) => ({ lid: written.slice('lid:'.length) }));

/** The fault of a text that is meant as a number; anything else lacks one. */
export const faultOfNumber: z.core.$ZodErrorMap<z.core.$ZodIssueInvalidUnion> = ({ input, errors }) =>
  (typeof input === 'string' ? errors?.[0]?.[0]?.message : undefined) ?? 'Enter a phone number';

const faultOfRecipient: typeof faultOfNumber = (issue) =>
  typeof issue.input === 'object' && issue.input !== null
    ? 'Enter a phone number, a conversation_id or a lid'
    : faultOfNumber(issue);

/** Somebody whose number may be hidden; each field has one of its own. */
export const writtenPerson = () =>
  z.union([PhoneText, HiddenPerson], { error: faultOfNumber }).describe('A number, or `lid:` and a LID.');
export type WrittenPerson = z.output<ReturnType<typeof writtenPerson>>;

/** The person a message goes to: a number, or whoever a conversation of the project is with, number or none. */
export const Recipient = z.union(
  [
    PhoneText,
    z.object({
      conversation_id: Id.describe('A conversation of the project; by the phone that the person wrote to.'),
    }),
    z.object({ lid: Lid }),
  ],
  { error: faultOfRecipient },
);
export type Recipient = z.output<typeof Recipient>;

const Mentioned = z.union([PhoneText, HiddenPerson], { error: faultOfNumber });
export const Mentions = z.array(Mentioned).max(100, 'Use at most 100 mentions');

/** Of one message to send, whichever way: by itself, or as a line of a batch. */
export const newMessageFields = z.object({
  to: Recipient.describe(
    'A number; or `{ conversation_id }` or `{ lid }`, which also reach somebody whose number is not known.',
  ),
  type: SendableType.optional().describe('`text` where it is left out.'),
  message: z
    .string('Enter a message')
    .optional()
    .describe('The text; with media the caption, at most 1024 characters.'),
  media: SentMedia.optional().describe('With a type of media.'),
  file_name: z
    .string()
    .trim()
    .min(1, 'Enter a file name')
    .max(200, 'Use at most 200 characters')
    .optional()
    .describe('What a document is called for its recipient.'),
  location: Place.optional().describe('The place that was sent; null for none.'),
  contacts: z
    .array(Card)
    .min(1, 'Add a contact')
    .max(50, 'Use at most 50 contacts')
    .optional()
    .describe('The contact cards that were sent; null for none.'),
  reaction: Reaction.optional().describe('With the type `reaction`.'),
  poll: Poll.optional().describe('With the type `poll`; by linked and simulated numbers alone.'),
  template: SentTemplate.optional().describe('With the type `template`; by numbers of the official API alone.'),
  preview: z
    .boolean()
    .optional()
    .describe('False: a link in the text goes without its preview. Else its page is asked for one, within seconds.'),
  mentions: Mentions.optional().describe('Numbers, or `lid:` and a LID, that the text mentions as `@` and the digits.'),
  play_as: PlayAs.optional().describe(
    'Of a video: `gif` without its sound, again and again; `round` as a video message.',
  ),
  forward: z
    .object({ message_id: Id.describe('A message of the project with a text, a file, a place, contacts or a poll.') })
    .optional()
    .describe('In place of all content: sends what that message carries, marked as forwarded.'),
  reply_to: Id.optional().describe('The message of the same conversation that it answers and quotes.'),
  override_opt_out: overrideOptOut,
  metadata: Metadata.optional().describe(
    'Your own pairs of text, up to 20: kept with the message, in its webhooks, and a filter.',
  ),
  send_at: z.iso
    .datetime({ offset: true, error: 'Enter a date and time, ISO 8601' })
    .optional()
    .describe('Up to 90 days ahead; at once where it is left out.'),
});
type Fields = z.output<typeof newMessageFields>;

const partOf: Readonly<Partial<Record<SendableType, string>>> = {
  location: 'location',
  contact: 'contacts',
  reaction: 'reaction',
  poll: 'poll',
  template: 'template',
};

type Fault = { path: string; message: string };

/** The fields that are missing for a message of this type, or not for it. */
function faultsOf(fields: Partial<Fields>): Fault[] {
  if (fields.forward) return faultsOfForward(fields);
  const type = fields.type ?? 'text';
  const wanted = mediaTypes.has(type) ? 'media' : partOf[type];
  const faults = textFaults(type, fields.message);
  for (const name of ['media', 'location', 'contacts', 'reaction', 'poll', 'template'] as const) {
    if (name === wanted && fields[name] === undefined) faults.push({ path: name, message: `Say which ${name}` });
    if (name !== wanted && fields[name] !== undefined)
      faults.push({ path: name, message: `A message of type ${type} has none` });
  }
  if (fields.file_name !== undefined && type !== 'document')
    faults.push({ path: 'file_name', message: 'Only a document has one' });
  if (fields.preview !== undefined && type !== 'text')
    faults.push({ path: 'preview', message: 'Only a text has a preview' });
  if (fields.play_as !== undefined && type !== 'video')
    faults.push({ path: 'play_as', message: 'Only a video is played' });
  if (fields.mentions !== undefined && type !== 'text' && !captionedTypes.has(type))
    faults.push({ path: 'mentions', message: 'Only a text or a caption mentions people' });
  if (fields.reply_to !== undefined && type === 'template')
    faults.push({ path: 'reply_to', message: 'A template quotes no message' });
  if (fields.reply_to !== undefined && type === 'reaction')
    faults.push({ path: 'reply_to', message: 'A reaction names its message itself' });
  return faults;
}

const contentNames: readonly string[] = [
  'type',
  'message',
  'media',
  'file_name',
  'location',
  'contacts',
  'reaction',
  'poll',
  'template',
  'mentions',
  'play_as',
  'reply_to',
];

const faultsOfForward = (fields: Partial<Fields>): Fault[] =>
  Object.keys(fields)
    .filter((name) => contentNames.includes(name) && fields[name as keyof Fields] !== undefined)
    .map((path) => ({ path, message: 'A forwarded message brings its own content' }));

function textFaults(type: SendableType, text: string | undefined): Fault[] {
  if (type === 'text') {
    const parsed = MessageText.safeParse(text);
    return parsed.success ? [] : parsed.error.issues.map(({ message }) => ({ path: 'message', message }));
  }
  if (text === undefined || text === '') return [];
  if (!captionedTypes.has(type)) return [{ path: 'message', message: `A message of type ${type} has no text` }];
  if (text.length > maxCaptionLength)
    return [{ path: 'message', message: `Use at most ${maxCaptionLength} characters` }];
  return [];
}

/** Beside what is wrong with single fields: all that is to be mended is said at once. */
function requireContent(fields: Partial<Fields>, { issues, addIssue }: z.core.$RefinementCtx): void {
  if (typeof fields !== 'object' || fields === null) return;
  const faulty = new Set(issues.map(({ path }) => path?.[0]));
  if (faulty.has('type')) return;
  for (const { path, message } of faultsOf(fields)) {
    if (!faulty.has(path)) addIssue({ code: 'custom', path: [path], message });
  }
}

/** For `superRefine`: every type has what it needs, and nothing else. */
export const contentRule: [typeof requireContent, z.core.$ZodSuperRefineParams] = [
  requireContent,
  { when: () => true },
];

/** A message to send, now or at `send_at`, which is up to 90 days ahead. */
export const NewMessage = newMessageFields.superRefine(...contentRule);
export type NewMessage = z.output<typeof NewMessage>;
