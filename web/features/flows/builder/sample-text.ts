import { fillTemplate } from '#contracts/template.ts';
import { showLinks } from '#web/shared/template/show-links.ts';

const samples: ReadonlyMap<string, string> = new Map([
  ['name', 'John'],
  ['email', 'john@example.com'],
  ['phone', '14155550123'],
]);

/** The template with samples for the fields that most profiles have; any other placeholder names itself: `[shop]`. */
export function sampleText(template: string): string {
  return fillTemplate(showLinks(template), (path) => samples.get(path) ?? `[${path}]`);
}
