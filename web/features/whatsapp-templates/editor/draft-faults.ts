import { namesIn } from '#contracts/whatsapp-template-parts.ts';
import { templateFaults } from '#contracts/whatsapp-template-rules.ts';
import { TemplateLanguage } from '#contracts/whatsapp-templates.ts';
import { componentsOf, exampleNames, type TemplateDraft } from './draft.ts';

/** `field` names a field of the form: `body`, `examples.order`, `buttons.1.url`. */
export type Fault = { field: string; message: string };

/** Everything for which Meta would refuse the draft, at its field. */
export function faultsOf(draft: TemplateDraft): Fault[] {
  const { name, language, category, format, header, headerFile } = draft;
  const components = componentsOf(draft);
  const faults: Fault[] = [];
  if (draft.account === '') faults.push({ field: 'account', message: 'Choose a business account' });
  if (name === '') faults.push({ field: 'name', message: 'Enter a name' });
  else if (!/^[a-z0-9_]{1,512}$/.test(name)) faults.push({ field: 'name', message: 'Use small letters, digits and _' });
  if (!TemplateLanguage.safeParse(language).success) faults.push({ field: 'language', message: 'Choose a language' });
  const missing = exampleNames(draft).filter((each) => (draft.examples[each] ?? '').trim() === '');
  faults.push(...missing.map((each) => ({ field: `examples.${each}`, message: 'Enter an example' })));
  for (const { path, message } of templateFaults({ category, parameter_format: format, components })) {
    const field = fieldOf(path, draft);
    const isFile = field === 'headerFile';
    if (isFile && headerFile !== null) continue;
    // Each of them is named above.
    if (field.startsWith('examples.')) continue;
    faults.push({ field, message: isFile ? `Add ${fileWords[header] ?? 'a file'} for the review` : message });
  }
  if (category === 'authentication' && !/^\d*$/.test(draft.minutes.trim()))
    faults.push({ field: 'minutes', message: 'Use 1 to 90 minutes' });
  else if (draft.minutes.trim() !== '' && (Number(draft.minutes) < 1 || Number(draft.minutes) > 90))
    faults.push({ field: 'minutes', message: 'Use 1 to 90 minutes' });
  return faults;
}

const fileWords: Readonly<Record<string, string>> = {
  image: 'a picture',
  video: 'a video',
  document: 'a document',
};

/** The field of the form that a path of the request is of. */
export function fieldOf(path: string, draft: TemplateDraft): string {
  if (path === 'business_account_id' || path === 'phone_id') return 'account';
  if (path.startsWith('header_media')) return 'headerFile';
  const [first, index, ...rest] = path.split('.');
  if (first !== 'components') return path;
  const component = componentsOf(draft)[Number(index)];
  switch (component?.type) {
    case 'HEADER':
      return component.format === 'TEXT' ? 'headerText' : 'headerFile';
    case 'FOOTER':
      return draft.category === 'authentication' ? 'minutes' : 'footer';
    case 'BUTTONS':
      return buttonField(rest);
    default:
      return 'body';
  }
}

function buttonField([, index, name]: readonly string[]): string {
  if (index === undefined || name === undefined) return 'buttons';
  return `buttons.${index}.${name === 'phone_number' ? 'phone' : name}`;
}

/** Something is still to be entered: said once the form was submitted, unlike a limit that is passed. */
export const isMissing = ({ message }: Fault): boolean => /^(Enter|Add|Choose) /.test(message);

export type Check = { state: 'ok' | 'wrong' | 'doubtful'; text: string; hint?: string };

const salesWords =
  /\b(sale|offer|discount|% off|free|deal|promo|coupon|voucher|buy now|limited time|good news)\b|%\s?off/i;

/** The points that a reviewer looks at first. */
export function checksOf(draft: TemplateDraft): Check[] {
  const faults = faultsOf(draft);
  const say = (isWrong: boolean, right: string, wrong: string, hint?: string): Check =>
    isWrong ? { state: 'wrong', text: wrong, ...(hint && { hint }) } : { state: 'ok', text: right };
  const has = (part: string) => faults.some(({ message }) => message.includes(part));
  if (draft.category === 'authentication') return [{ state: 'ok', text: 'WhatsApp writes the text of a code itself' }];
  const hasVariables = namesIn(draft.body).length > 0;
  const sales = draft.category === 'utility' ? salesWords.exec(`${draft.headerText} ${draft.body}`)?.[0] : undefined;
  return [
    ...(hasVariables
      ? [
          say(
            has('Begin and end'),
            'Begins and ends with words',
            'Begins or ends with a variable',
            'Add at least a word.',
          ),
          say(has('between two variables'), 'No two variables side by side', 'Two variables side by side'),
          say(
            faults.some(({ field }) => field.startsWith('examples.')),
            'Every variable has an example',
            'A variable has no example',
          ),
        ]
      : []),
    say(has('Use at most'), 'Within the limits', 'Something is too long, or too much'),
    ...(sales === undefined
      ? []
      : [
          {
            state: 'doubtful' as const,
            text: `“${sales}” sounds like marketing`,
            hint: 'Reviewers may move it to the dearer category.',
          },
        ]),
  ];
}
