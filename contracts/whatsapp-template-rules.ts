import { namesIn, partOf } from './whatsapp-template-parts.ts';
import type { ParameterFormat, TemplateComponent } from './whatsapp-template-parts.ts';

type Draft = { category: string; parameter_format: ParameterFormat; components: readonly TemplateComponent[] };
export type TemplateFault = { path: string; message: string };

const types = new Set(['HEADER', 'BODY', 'FOOTER', 'BUTTONS']);
/** Characters, and how many buttons. */
export const templateLimits = { header: 60, body: 1024, footer: 60, buttons: 10, buttonText: 25, code: 15 } as const;
const maxLengths: Readonly<Record<string, number>> = {
  HEADER: templateLimits.header,
  BODY: templateLimits.body,
  FOOTER: templateLimits.footer,
};
const { buttons: maxButtons, buttonText: maxButtonText, code: maxCode } = templateLimits;
const needsText = new Set(['QUICK_REPLY', 'URL', 'PHONE_NUMBER']);

/**
 * The faults for which the network would refuse a template, by the paths of its fields. Source:
 * developers.facebook.com/documentation/business-messaging/whatsapp/templates/components, of November 2025.
 */
export function templateFaults(draft: Draft): TemplateFault[] {
  const isCode = draft.category === 'authentication';
  const faults = draft.components.flatMap((component, index) => {
    const path = `components.${index}`;
    const type = component.type.toUpperCase();
    if (!types.has(type)) return [{ path: `${path}.type`, message: 'Use HEADER, BODY, FOOTER or BUTTONS' }];
    if (draft.components.findIndex((each) => each.type.toUpperCase() === type) !== index)
      return [{ path: `${path}.type`, message: 'A template has each part once' }];
    if (type === 'BUTTONS') return isCode ? codeButtonFaults(component, path) : buttonFaults(component, path);
    return isCode ? [] : textFaults(draft, { type, component, path });
  });
  if (!partOf(draft, 'BODY')) faults.push({ path: 'components', message: 'Add a BODY' });
  return faults;
}

type Part = { type: string; component: TemplateComponent; path: string };

function textFaults(draft: Draft, { type, component: { text, format, example }, path }: Part): TemplateFault[] {
  if (type === 'HEADER' && format !== undefined && format.toUpperCase() !== 'TEXT') {
    const isThere = format.toUpperCase() === 'LOCATION' || example?.['header_handle'] !== undefined;
    return isThere
      ? []
      : [
          {
            path: `${path}.example`,
            message: 'Add a file for the review: header_media, or a header_handle of your own',
          },
        ];
  }
  const at = `${path}.text`;
  if (text === undefined || text.trim() === '') return [{ path: at, message: 'Enter a text' }];
  const faults: string[] = [];
  const longest = maxLengths[type] ?? 0;
  if (text.length > longest) faults.push(`Use at most ${longest} characters`);
  const names = namesIn(text);
  if (type === 'FOOTER' && names.length > 0) faults.push('A footer has no variables');
  if (type === 'HEADER' && names.length > 1) faults.push('A header has at most one variable');
  if (type === 'BODY' && /^\s*\{\{|\}\}\s*$/.test(text)) faults.push('Begin and end with words, not with a variable');
  if (/\}\}\s*\{\{/.test(text)) faults.push('Put words between two variables');
  faults.push(...nameFaults(names, draft.parameter_format));
  if (names.length > 0 && faults.length === 0 && !example) {
    return [{ path: `examples.${names[0] ?? ''}`, message: 'Enter an example of each variable for the review' }];
  }
  return faults.map((message) => ({ path: at, message }));
}

function nameFaults(names: readonly string[], format: ParameterFormat): string[] {
  if (format === 'named') {
    const wrong = names.find((name) => !/^[a-z][a-z0-9_]*$/.test(name));
    return wrong === undefined ? [] : [`Name {{${wrong}}} with small letters, digits and _, a letter first`];
  }
  const isCounted = names.every((_, index) => names.includes(String(index + 1)));
  return isCounted ? [] : ['Count the variables of a template with positions from {{1}} on'];
}

type Button = NonNullable<TemplateComponent['buttons']>[number];

/** The buttons of a kind that a template may have, beside the limit of all. */
const maxOfType: Readonly<Record<string, { most: number; message: string }>> = {
  URL: { most: 2, message: 'Use at most 2 buttons that open a page' },
  PHONE_NUMBER: { most: 1, message: 'Use at most one button that calls' },
  COPY_CODE: { most: 1, message: 'Use at most one button that copies a code' },
};

function buttonFaults({ buttons = [] }: TemplateComponent, path: string): TemplateFault[] {
  if (buttons.length === 0) return [{ path: `${path}.buttons`, message: 'Add a button' }];
  if (buttons.length > maxButtons) return [{ path: `${path}.buttons`, message: `Use at most ${maxButtons} buttons` }];
  const faults = buttons.flatMap((button, index) => oneButtonFaults(button, `${path}.buttons.${index}`));
  for (const [type, { most, message }] of Object.entries(maxOfType)) {
    const places = buttons.flatMap((button, index) => (button.type.toUpperCase() === type ? [index] : []));
    const beyond = places[most];
    if (beyond !== undefined) faults.push({ path: `${path}.buttons.${beyond}.type`, message });
  }
  const kinds = buttons.map(({ type }) => type.toUpperCase() === 'QUICK_REPLY');
  const changes = kinds.filter((isReply, index) => index > 0 && isReply !== kinds[index - 1]).length;
  if (changes > 1) faults.push({ path: `${path}.buttons`, message: 'Put the quick replies side by side' });
  return faults;
}

function oneButtonFaults(button: Button, at: string): TemplateFault[] {
  const type = button.type.toUpperCase();
  const { text = '', url = '', phone_number: phone = '', example } = button;
  const faults: TemplateFault[] = [];
  const add = (field: string, message: string) => faults.push({ path: `${at}.${field}`, message });
  if (type === 'COPY_CODE') {
    const code = Array.isArray(example) ? (example[0] ?? '') : (example ?? '');
    if (code.trim() === '') add('example', 'Enter an example of the code');
    else if (code.length > maxCode) add('example', `Use at most ${maxCode} characters`);
    return faults;
  }
  if (text.length > maxButtonText) add('text', `Use at most ${maxButtonText} characters`);
  else if (needsText.has(type) && text.trim() === '') add('text', 'Enter the words on the button');
  if (namesIn(text).length > 0) add('text', 'A button has no variables in its words');
  if (type === 'PHONE_NUMBER' && !/^(?=.{5,20}$)\+?[\d ()-]+$/.test(phone.trim()))
    add('phone_number', 'Enter a number with its calling code, at most 20 characters');
  if (type === 'URL') {
    if (!/^https?:\/\/[^\s/]/.test(url)) add('url', 'Enter an address that begins with https://');
    else if (namesIn(url).length > 0 && !/^[^{}]*\{\{\s*\w+\s*\}\}$/.test(url))
      add('url', 'Put {{1}} once, at the end of the address');
    else if (namesIn(url).length > 0 && (example === undefined || example.length === 0))
      add('example', 'Enter an example of the whole address');
  }
  return faults;
}

/** The network writes the words of these buttons itself. */
function codeButtonFaults({ buttons = [] }: TemplateComponent, path: string): TemplateFault[] {
  return buttons.length === 0 ? [{ path: `${path}.buttons`, message: 'Add a button' }] : [];
}

/** The parts with the examples that the network asks for; examples that a part brings itself stay. */
export function withExamples(
  components: readonly TemplateComponent[],
  { format, examples }: { format: ParameterFormat; examples: Readonly<Record<string, string>> },
): TemplateComponent[] {
  return components.map((component) => {
    const type = component.type.toUpperCase();
    const names = namesIn(component.text);
    const given = names.flatMap((name) => examples[name] ?? []);
    if (component.example || names.length === 0 || given.length < names.length) return { ...component, type };
    const named = names.map((name) => ({ param_name: name, example: examples[name] ?? '' }));
    const isHeader = type === 'HEADER';
    const key = `${isHeader ? 'header' : 'body'}_text${format === 'named' ? '_named_params' : ''}`;
    const positional = isHeader ? given : [given];
    return { ...component, type, example: { [key]: format === 'named' ? named : positional } };
  });
}
