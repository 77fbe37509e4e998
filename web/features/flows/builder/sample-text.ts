import { fillTemplate } from '#contracts/template.ts';

const samples: ReadonlyMap<string, string> = new Map([
  ['name', 'John'],
  ['email', 'john@example.com'],
  ['phone', '14155550123'],
]);

/** The template with samples for the fields that most profiles have; any other placeholder names itself: `[shop]`. */
export function sampleText(template: string): string {
  return fillTemplate(template, (path) => samples.get(path) ?? `[${path}]`);
}
