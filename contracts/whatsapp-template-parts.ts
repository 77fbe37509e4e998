import { z } from 'zod';

/** A button of a template, in the form of the network. */
const TemplateButton = z.object({
  type: z.string().max(40).describe('`QUICK_REPLY`, `URL`, `PHONE_NUMBER`, `COPY_CODE` and others.'),
  text: z.string().max(200).optional().describe('What it said.'),
  url: z.string().max(2000).optional().describe('Ends with `{{1}}` where each message brings its own ending.'),
  phone_number: z.string().max(40).optional().describe('The full number with the calling code; 8 to 15 digits.'),
  example: z
    .union([z.string().max(2000), z.array(z.string().max(2000)).max(10)])
    .optional()
    .describe('The whole address, or the code, as the reviewer of the network sees it.'),
  otp_type: z
    .string()
    .max(40)
    .optional()
    .describe('Of an authentication template: `COPY_CODE`, `ONE_TAP` or `ZERO_TAP`.'),
});

/** A part of a template, in the form of the network: `HEADER`, `BODY`, `FOOTER` or `BUTTONS`. */
export const TemplateComponent = z.object({
  type: z.string().max(40).describe('`HEADER`, `BODY`, `FOOTER` or `BUTTONS`.'),
  format: z.string().max(40).optional().describe('Of a header: `TEXT`, `IMAGE`, `VIDEO`, `DOCUMENT` or `LOCATION`.'),
  text: z.string().max(4096).optional().describe('With variables as `{{first_name}}` or `{{1}}`.'),
  buttons: z.array(TemplateButton).max(20).optional().describe('Of the part `BUTTONS`.'),
  example: z.record(z.string(), z.unknown()).optional().describe('What the reviewer of the network sees.'),
  add_security_recommendation: z
    .boolean()
    .optional()
    .describe('Of the body of an authentication template: adds that the code is not to be shared.'),
  code_expiration_minutes: z
    .int()
    .min(1, 'Use 1 to 90 minutes')
    .max(90, 'Use 1 to 90 minutes')
    .optional()
    .describe('Of the footer of an authentication template: says how long the code holds.'),
});
export type TemplateComponent = z.infer<typeof TemplateComponent>;

export const ParameterFormat = z.enum(['named', 'positional']);
export type ParameterFormat = z.infer<typeof ParameterFormat>;

/** The media that a header carries. */
export const HeaderMedia = z.enum(['image', 'video', 'document']);
export type HeaderMedia = z.infer<typeof HeaderMedia>;

/** The parts of a template that decide how it is filled. */
export type TemplateParts = {
  category: string;
  parameter_format: ParameterFormat;
  components: readonly TemplateComponent[];
};

/** A variable of a template; `name` is what a message calls it. */
export const TemplateVariable = z.object({
  name: z
    .string()
    .describe(
      'Of a template with positions: `1` in the body, `header_1` in the header. `button_1` is the first button.',
    ),
  part: z.enum(['header', 'body', 'button']).describe('Where it stands first.'),
});
export type TemplateVariable = z.infer<typeof TemplateVariable>;

const placeholder = /\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g;

/** The variables of a text, each once, in their order. */
export const namesIn = (text = ''): string[] => [
  ...new Set([...text.matchAll(placeholder)].map(([, name]) => name ?? '')),
];

const isPart = (type: string) => (component: TemplateComponent) => component.type.toUpperCase() === type;

export const partOf = (
  { components }: Pick<TemplateParts, 'components'>,
  type: 'HEADER' | 'BODY' | 'FOOTER' | 'BUTTONS',
) => components.find(isPart(type));

/** The kind of media that the header carries; undefined for a header of text, and for none. */
export function headerMediaOf(template: Pick<TemplateParts, 'components'>): HeaderMedia | undefined {
  const parsed = HeaderMedia.safeParse(partOf(template, 'HEADER')?.format?.toLowerCase());
  return parsed.success ? parsed.data : undefined;
}

const headerName = (name: string, { parameter_format: format }: TemplateParts) =>
  format === 'positional' ? `header_${name}` : name;

type ButtonVariable = { name: string; index: number; subType: 'url' | 'copy_code'; type: 'text' | 'coupon_code' };

/** An authentication template has its code in the button as well. */
function buttonVariables(template: TemplateParts): ButtonVariable[] {
  const isCode = template.category.toLowerCase() === 'authentication';
  return (partOf(template, 'BUTTONS')?.buttons ?? []).flatMap((button, index): ButtonVariable[] => {
    const type = button.type.toUpperCase();
    const name = isCode ? (bodyNames(template)[0] ?? '1') : `button_${index + 1}`;
    if (type === 'COPY_CODE') return [{ name, index, subType: 'copy_code', type: 'coupon_code' }];
    const takesText = (type === 'URL' && namesIn(button.url).length > 0) || type === 'OTP';
    return takesText ? [{ name, index, subType: 'url', type: 'text' }] : [];
  });
}

/** Networks add the text of an authentication template themselves: its only variable is the code. */
function bodyNames(template: TemplateParts): string[] {
  const names = namesIn(partOf(template, 'BODY')?.text);
  return template.category.toLowerCase() === 'authentication' && names.length === 0 ? ['1'] : names;
}

const headerNames = (template: TemplateParts) => namesIn(partOf(template, 'HEADER')?.text);

/** The variables that a message has to fill, each once, in the order of the text. */
export function variablesOf(template: TemplateParts): TemplateVariable[] {
  const all: TemplateVariable[] = [
    ...headerNames(template).map((name) => ({ name: headerName(name, template), part: 'header' as const })),
    ...bodyNames(template).map((name) => ({ name, part: 'body' as const })),
    ...buttonVariables(template).map(({ name }) => ({ name, part: 'button' as const })),
  ];
  return all.filter(({ name }, index) => all.findIndex((each) => each.name === name) === index);
}

type Values = Readonly<Record<string, string>>;

/** A variable without a value keeps its braces. */
const fill = (text: string, values: Values, nameOf: (name: string) => string = (name) => name) =>
  text.replaceAll(placeholder, (whole, name: string) => values[nameOf(name)] ?? whole);

/** The text of a template with its variables filled, as its reader sees it; null where a part is missing. */
export function renderTemplate(
  template: TemplateParts,
  values: Values,
): { header: string | null; body: string; footer: string | null; buttons: string[] } {
  const header = partOf(template, 'HEADER');
  const body = partOf(template, 'BODY')?.text;
  return {
    header: header?.text === undefined ? null : fill(header.text, values, (name) => headerName(name, template)),
    body: body === undefined ? (values['1'] ?? '') : fill(body, values),
    footer: partOf(template, 'FOOTER')?.text ?? null,
    buttons: (partOf(template, 'BUTTONS')?.buttons ?? []).map(({ text, type }) => text ?? type),
  };
}

type Parameter = { type: string; parameter_name?: string; text?: string; coupon_code?: string };
export type SentComponent = { type: string; sub_type?: string; index?: string; parameters: Parameter[] };

/**
 * The components of a send, without the media of the header. Source:
 * developers.facebook.com/docs/whatsapp/cloud-api/reference/messages, template object.
 */
export function sentComponents(template: TemplateParts, values: Values): SentComponent[] {
  const isNamed = template.parameter_format === 'named';
  const parameter = (name: string, key: string): Parameter => ({
    type: 'text',
    ...(isNamed && { parameter_name: name }),
    text: values[key] ?? '',
  });
  const header = headerNames(template).map((name) => parameter(name, headerName(name, template)));
  const body = bodyNames(template).map((name) => parameter(name, name));
  return [
    ...(header.length > 0 ? [{ type: 'header', parameters: header }] : []),
    ...(body.length > 0 ? [{ type: 'body', parameters: body }] : []),
    ...buttonVariables(template).map(({ name, index, subType, type }) => ({
      type: 'button',
      sub_type: subType,
      index: String(index),
      parameters: [type === 'text' ? { type, text: values[name] ?? '' } : { type, coupon_code: values[name] ?? '' }],
    })),
  ];
}
