import { z } from 'zod';
import type { BoundTemplate, NewBoundTemplate } from '#contracts/bound-templates.ts';
import { carriedFaults } from '#contracts/carried-content.ts';
import type { Review } from '#contracts/reviews.ts';
import { HeaderMedia } from '#contracts/whatsapp-template-parts.ts';
import type { WhatsappTemplate } from '#contracts/whatsapp-templates.ts';
import { CarriedValue } from '../attach/carried-file.ts';

/** Whether the message of a form is a text with a file, or a WhatsApp template. */
export const MessageKind = z.enum(['text', 'template']);
export type MessageKind = z.infer<typeof MessageKind>;

const BoundText = z.object({ text: z.string(), default: z.string() });
export type BoundText = z.infer<typeof BoundText>;

/** The WhatsApp template of a form's campaign, flow or run, as it is typed. */
export const BoundValue = z
  .object({
    name: z.string(),
    language: z.string(),
    business_account_id: z.string(),
    /** Of each variable that the template had when it was chosen. */
    variables: z.record(z.string(), BoundText),
    /** The kind of file that the header takes. */
    header: HeaderMedia.nullable(),
    header_media: CarriedValue,
    /** As it was reviewed. */
    version: z.string().optional(),
  })
  .nullable();
export type BoundValue = z.infer<typeof BoundValue>;

export const noText: BoundText = { text: '', default: '' };

/** Of a stored campaign, flow or run. */
export function boundValueOf(template: BoundTemplate | null | undefined): BoundValue {
  if (!template) return null;
  const { name, language, business_account_id, header_media: file } = template;
  const variables = Object.entries(template.variables).map(([variable, bound]) => [
    variable,
    { text: bound.text, default: bound.default ?? '' },
  ]);
  return {
    name,
    language,
    business_account_id,
    variables: Object.fromEntries(variables) as Record<string, BoundText>,
    header: HeaderMedia.safeParse(file?.type).data ?? null,
    header_media: file,
  };
}

/** A template that was chosen; what its variables had under the same names stays. */
export function chosenValue(template: WhatsappTemplate, before: BoundValue): NonNullable<BoundValue> {
  const { name, language, business_account_id, header_media: header, variables } = template;
  return {
    name,
    language,
    business_account_id,
    variables: Object.fromEntries(
      variables.map((variable) => [variable.name, before?.variables[variable.name] ?? suggestedText(variable.name)]),
    ),
    header,
    header_media: before?.header === header ? before.header_media : null,
  };
}

/** The columns that variables are usually named after. */
const usual: Readonly<Record<string, string>> = {
  name: '{name}',
  full_name: '{name}',
  first_name: '{name}',
  email: '{email}',
  phone: '{phone}',
};

const suggestedText = (variable: string): BoundText => ({ ...noText, text: usual[variable.toLowerCase()] ?? '' });

/** The value of `template` for the server. */
export function boundBody(value: NonNullable<BoundValue>): NewBoundTemplate {
  const { name, language, variables, header_media: file, version } = value;
  const bound = Object.entries(variables).map(([variable, { text, default: instead }]) => [
    variable,
    { text, default: instead.trim() === '' ? null : instead.trim() },
  ]);
  return {
    name,
    language,
    variables: Object.fromEntries(bound) as NewBoundTemplate['variables'],
    ...(file !== null && { header_media: { id: file.id } }),
    ...(version !== undefined && { version }),
  };
}

type Content = { message: string; media: CarriedValue; kind: MessageKind; template: BoundValue };

/** The content of a body: a text and a file, or the template alone; what a form has beside it is not sent. */
export const contentOf = ({ message, media, kind, template }: Content) =>
  kind === 'template' && template !== null
    ? { message: '', media: null, template: boundBody(template) }
    : { message, media, template: null };

/** The same with the template as the review had it, so that another one is refused. */
export const asReviewed = <T extends { template: BoundValue }>(values: T, review: Review | undefined): T => ({
  ...values,
  template:
    values.template && review?.template ? { ...values.template, version: review.template.version } : values.template,
});

/** Whether something is written that could be sent. */
export const hasContent = ({ message, kind, template }: Omit<Content, 'media'>, hasFile: boolean) =>
  kind === 'template' ? template !== null : message.trim() !== '' || hasFile;

/** Whether both send the same. */
export const isSameBound = (one: BoundValue, other: BoundValue) =>
  JSON.stringify(one && boundBody({ ...one, version: undefined })) ===
  JSON.stringify(other && boundBody({ ...other, version: undefined }));

const fileFaults = {
  image: 'Add the picture of the header',
  video: 'Add the video of the header',
  document: 'Add the document of the header',
} as const satisfies Record<HeaderMedia, string>;

type Fault = { path: string[]; message: string };

function boundFaults(value: BoundValue): Fault[] {
  if (value === null) return [{ path: ['template'], message: 'Choose a template' }];
  const empty = Object.entries(value.variables).filter(
    ([, { text, default: instead }]) => text.trim() === '' && instead.trim() === '',
  );
  return [
    ...empty.map(([name]) => ({
      path: ['template', 'variables', name],
      message: 'Enter a text for this variable',
    })),
    ...(value.header !== null && value.header_media === null
      ? [{ path: ['template', 'header_media'], message: fileFaults[value.header] }]
      : []),
  ];
}

/** Whether the server takes it as it is. */
export const isWhole = (value: BoundValue) => boundFaults(value).length === 0;

/** For `superRefine` of the fields that hold a message: a text and a file by the rules of both, or a template by its own. */
function requireContent(values: Content, { issues, addIssue }: z.core.$RefinementCtx): void {
  if (typeof values !== 'object' || values === null) return;
  if (values.kind === 'template') {
    for (const { path, message } of boundFaults(values.template)) addIssue({ code: 'custom', path, message });
    return;
  }
  for (const { path, message } of carriedFaults({ message: values.message, media: values.media })) {
    if (!issues.some((issue) => issue.path?.[0] === path)) addIssue({ code: 'custom', path: [path], message });
  }
}

export const contentRule: [typeof requireContent, z.core.$ZodSuperRefineParams] = [
  requireContent,
  { when: () => true },
];
