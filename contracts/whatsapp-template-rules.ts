import { namesIn, partOf } from './whatsapp-template-parts.ts';
import type { ParameterFormat, TemplateComponent } from './whatsapp-template-parts.ts';

type Draft = { category: string; parameter_format: ParameterFormat; components: readonly TemplateComponent[] };
export type TemplateFault = { path: string; message: string };

const types = new Set(['HEADER', 'BODY', 'FOOTER', 'BUTTONS']);
const maxLengths: Readonly<Record<string, number>> = { HEADER: 60, BODY: 1024, FOOTER: 60 };
const maxButtons = 10;
const maxButtonText = 25;

/**
 * The faults for which the network would refuse a template, by the paths of its fields. Source:
 * developers.facebook.com/docs/whatsapp/business-management-api/message-templates/components.
 */
export function templateFaults(draft: Draft): TemplateFault[] {
  const isCode = draft.category === 'authentication';
  const faults = draft.components.flatMap((component, index) => {
    const path = `components.${index}`;
    const type = component.type.toUpperCase();
    if (!types.has(type)) return [{ path: `${path}.type`, message: 'Use HEADER, BODY, FOOTER or BUTTONS' }];
    if (draft.components.findIndex((each) => each.type.toUpperCase() === type) !== index)
      return [{ path: `${path}.type`, message: 'A template has each part once' }];
    if (type === 'BUTTONS') return buttonFaults(component, path);
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
      : [{ path: `${path}.example`, message: 'Add an example: header_handle, of a resumable upload' }];
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

function buttonFaults({ buttons = [] }: TemplateComponent, path: string): TemplateFault[] {
  if (buttons.length === 0) return [{ path: `${path}.buttons`, message: 'Add a button' }];
  if (buttons.length > maxButtons) return [{ path: `${path}.buttons`, message: `Use at most ${maxButtons} buttons` }];
  return buttons.flatMap((button, index) => {
    const at = `${path}.buttons.${index}`;
    if (button.text !== undefined && button.text.length > maxButtonText)
      return [{ path: `${at}.text`, message: `Use at most ${maxButtonText} characters` }];
    if (namesIn(button.url).length > 0 && button.example === undefined)
      return [{ path: `${at}.example`, message: 'Enter an example of the whole address' }];
    return [];
  });
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
