import {
  namesIn,
  partOf,
  variablesOf,
  type ParameterFormat,
  type TemplateComponent,
  type TemplateParts,
} from '#contracts/whatsapp-template-parts.ts';
import type { WhatsappTemplate, WhatsappTemplateCategory } from '#contracts/whatsapp-templates.ts';

export const headerKinds = ['none', 'text', 'image', 'video', 'document', 'location'] as const;
export type HeaderKind = (typeof headerKinds)[number];

export const buttonTypes = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'COPY_CODE'] as const;
type ButtonType = (typeof buttonTypes)[number];
export type ButtonDraft = { type: ButtonType; text: string; url: string; phone: string; example: string };

/** The example of a header's file: uploaded here, or the one that Meta has already. */
export type HeaderFile = { id: string; name: string } | { handle: unknown };

/** A template as the form has it: every value is the text that was typed. */
export type TemplateDraft = {
  account: string;
  name: string;
  language: string;
  category: WhatsappTemplateCategory;
  format: ParameterFormat;
  header: HeaderKind;
  headerText: string;
  headerFile: HeaderFile | null;
  body: string;
  footer: string;
  buttons: readonly ButtonDraft[];
  /** By the names that messages call the variables by. */
  examples: Readonly<Record<string, string>>;
  /** Of an authentication template: the words that Meta adds, and for how long the code holds. */
  hasWarning: boolean;
  minutes: string;
};

export const emptyDraft: TemplateDraft = {
  account: '',
  name: '',
  language: '',
  category: 'utility',
  format: 'named',
  header: 'none',
  headerText: '',
  headerFile: null,
  body: '',
  footer: '',
  buttons: [],
  examples: {},
  hasWarning: true,
  minutes: '',
};

export const emptyButton = (type: ButtonType): ButtonDraft => ({ type, text: '', url: '', phone: '', example: '' });

const isButtonType = (type: string): type is ButtonType => (buttonTypes as readonly string[]).includes(type);
const partTypes = new Set(['HEADER', 'BODY', 'FOOTER', 'BUTTONS']);

/** Whether the form has fields for all of the template; catalogues, carousels and the like are made at Meta alone. */
export function canShow({ components, category }: Pick<WhatsappTemplate, 'components' | 'category'>): boolean {
  return components.every(
    ({ type, buttons = [] }) =>
      partTypes.has(type.toUpperCase()) &&
      (category === 'authentication' || buttons.every((button) => isButtonType(button.type.toUpperCase()))),
  );
}

export function draftOf(template: WhatsappTemplate): TemplateDraft {
  const header = partOf(template, 'HEADER');
  const kind = header && (header.format?.toLowerCase() ?? 'text');
  const handle = header?.example?.['header_handle'];
  return {
    ...emptyDraft,
    account: template.business_account_id,
    name: template.name,
    language: template.language,
    category: template.category,
    format: template.parameter_format,
    header: headerKinds.find((each) => each === kind) ?? 'none',
    headerText: header?.text ?? '',
    headerFile: handle === undefined ? null : { handle },
    body: partOf(template, 'BODY')?.text ?? '',
    footer: partOf(template, 'FOOTER')?.text ?? '',
    buttons: (partOf(template, 'BUTTONS')?.buttons ?? []).flatMap((button): ButtonDraft[] => {
      const type = button.type.toUpperCase();
      if (!isButtonType(type)) return [];
      const { text = '', url = '', phone_number: phone = '', example = '' } = button;
      return [{ type, text, url, phone, example: (Array.isArray(example) ? example[0] : example) ?? '' }];
    }),
    examples: examplesIn(template),
    hasWarning: partOf(template, 'BODY')?.add_security_recommendation ?? false,
    minutes: String(partOf(template, 'FOOTER')?.code_expiration_minutes ?? ''),
  };
}

/** The examples that a template came with, in either form of Meta's. */
function examplesIn(template: TemplateParts): Record<string, string> {
  const found: Record<string, string> = {};
  for (const part of ['HEADER', 'BODY'] as const) {
    const component = partOf(template, part);
    const key = part === 'HEADER' ? 'header_text' : 'body_text';
    const named = component?.example?.[`${key}_named_params`];
    for (const each of Array.isArray(named) ? (named as unknown[]) : []) {
      const { param_name: name, example } = each as { param_name?: unknown; example?: unknown };
      if (typeof name === 'string' && typeof example === 'string') found[name] = example;
    }
    const given: unknown = component?.example?.[key];
    const listed: unknown = Array.isArray(given) && Array.isArray(given[0]) ? given[0] : given;
    if (!Array.isArray(listed)) continue;
    for (const [index, name] of namesIn(component?.text).entries()) {
      const example: unknown = listed[index];
      if (typeof example === 'string') found[part === 'HEADER' ? `header_${name}` : name] = example;
    }
  }
  return found;
}

/** The parts of the draft in the form of the network, with the examples that are there. */
export function componentsOf(draft: TemplateDraft): TemplateComponent[] {
  if (draft.category === 'authentication') return codeComponents(draft);
  const { header, headerText, body, footer, buttons } = draft;
  const parts: (TemplateComponent | undefined)[] = [
    header === 'text'
      ? { type: 'HEADER', format: 'TEXT', text: headerText, ...exampleOf('HEADER', draft) }
      : header === 'none'
        ? undefined
        : { type: 'HEADER', format: header.toUpperCase(), ...mediaExample(draft.headerFile) },
    { type: 'BODY', text: body, ...exampleOf('BODY', draft) },
    footer.trim() === '' ? undefined : { type: 'FOOTER', text: footer },
    buttons.length === 0 ? undefined : { type: 'BUTTONS', buttons: buttons.map(buttonOf) },
  ];
  return parts.filter((part) => part !== undefined);
}

function codeComponents({ hasWarning, minutes }: TemplateDraft): TemplateComponent[] {
  return [
    { type: 'BODY', ...(hasWarning && { add_security_recommendation: true }) },
    ...(minutes.trim() === '' ? [] : [{ type: 'FOOTER', code_expiration_minutes: Number(minutes) }]),
    { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' }] },
  ];
}

const mediaExample = (file: HeaderFile | null) =>
  file !== null && 'handle' in file ? { example: { header_handle: file.handle } } : {};

/** Nothing until each variable of the part has its example. */
function exampleOf(part: 'HEADER' | 'BODY', { headerText, body, format, examples }: TemplateDraft) {
  const isHeader = part === 'HEADER';
  const names = namesIn(isHeader ? headerText : body);
  const given = names.map((name) => examples[isHeader && format === 'positional' ? `header_${name}` : name] ?? '');
  if (names.length === 0 || given.some((example) => example.trim() === '')) return {};
  const key = isHeader ? 'header_text' : 'body_text';
  if (format === 'named') {
    return {
      example: {
        [`${key}_named_params`]: names.map((name, index) => ({ param_name: name, example: given[index] ?? '' })),
      },
    };
  }
  return { example: { [key]: isHeader ? given : [given] } };
}

function buttonOf({ type, text, url, phone, example }: ButtonDraft): NonNullable<TemplateComponent['buttons']>[number] {
  switch (type) {
    case 'QUICK_REPLY':
      return { type, text };
    case 'URL':
      return { type, text, url, ...(namesIn(url).length > 0 && example.trim() !== '' && { example: [example] }) };
    case 'PHONE_NUMBER':
      return { type, text, phone_number: phone };
    case 'COPY_CODE':
      return { type, ...(example.trim() !== '' && { example }) };
  }
}

/** The draft as a template that can be looked at. */
export const partsOf = (draft: TemplateDraft): TemplateParts => ({
  category: draft.category,
  parameter_format: draft.format,
  components: componentsOf(draft),
});

/** The variables that want an example: those of the texts. */
export const exampleNames = (draft: TemplateDraft): string[] =>
  draft.category === 'authentication'
    ? []
    : variablesOf(partsOf(draft)).flatMap(({ name, part }) => (part === 'button' ? [] : [name]));
