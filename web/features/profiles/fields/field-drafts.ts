export type DraftType = 'text' | 'number' | 'boolean' | 'json';

/** A custom field as it is edited: its value as typed. */
export type FieldDraft = { name: string; type: DraftType; text: string };

/** The values of the drafts, or why they cannot be stored, by their place. */
export type DraftResult =
  | { fields: Record<string, unknown> | null; problem?: undefined }
  | { problem: { index: number; message: string }; fields?: undefined };

/** Lists, objects and null are edited as JSON. */
export function draftsOf(fields: Record<string, unknown>): FieldDraft[] {
  return Object.entries(fields).map(([name, value]) => {
    if (typeof value === 'string') return { name, type: 'text', text: value };
    if (typeof value === 'number') return { name, type: 'number', text: String(value) };
    if (typeof value === 'boolean') return { name, type: 'boolean', text: String(value) };
    return { name, type: 'json', text: JSON.stringify(value) };
  });
}

/** A line without a name and a value is none. */
export function readDrafts(drafts: readonly FieldDraft[]): DraftResult {
  const entries = new Map<string, unknown>();
  for (const [index, draft] of drafts.entries()) {
    const name = draft.name.trim();
    if (name === '' && draft.text.trim() === '') continue;
    if (name === '') return { problem: { index, message: 'Enter a name' } };
    if (entries.has(name)) return { problem: { index, message: `There is a field ${name} already` } };
    const read = readValue(draft);
    if ('message' in read) return { problem: { index, message: read.message } };
    entries.set(name, read.value);
  }
  return { fields: entries.size === 0 ? null : Object.fromEntries(entries) };
}

function readValue({ type, text }: FieldDraft): { value: unknown } | { message: string } {
  switch (type) {
    case 'text':
      return { value: text };
    case 'boolean':
      return { value: text === 'true' };
    case 'number': {
      const number = Number(text.trim());
      const isNumber = text.trim() !== '' && Number.isFinite(number);
      return isNumber ? { value: number } : { message: 'Enter a number' };
    }
    case 'json':
      try {
        return { value: JSON.parse(text) as unknown };
      } catch {
        return { message: 'Enter valid JSON' };
      }
  }
}

/** The same value in another type, as far as it has one there. */
export function retyped({ name, type, text }: FieldDraft, next: DraftType): FieldDraft {
  if (next === 'boolean') return { name, type: next, text: String(/^(true|yes|y|1)$/i.test(text.trim())) };
  if (next === 'json') return { name, type: next, text: type === 'text' ? JSON.stringify(text) : text || 'null' };
  if (type !== 'json') return { name, type: next, text };
  const read = readValue({ name, type, text });
  const value = 'value' in read ? read.value : text;
  return { name, type: next, text: typeof value === 'string' ? value : text };
}
