import type { TemplateDraft } from './draft.ts';

const prefix = 'dovepost.whatsapp-templates.';
const mostKept = 20;

type Drafts = Record<string, TemplateDraft>;

function read(userId: number): Drafts {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(prefix + userId) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Drafts) : {};
  } catch {
    return {};
  }
}

/** The draft that was typed at a place and not submitted; `place` is a template's id, or says of which a new one is. */
export function readTemplateDraft(userId: number, place: string): TemplateDraft | undefined {
  const draft = read(userId)[place] as Partial<TemplateDraft> | undefined;
  const isWhole = typeof draft?.body === 'string' && Array.isArray(draft.buttons) && typeof draft.examples === 'object';
  return isWhole ? (draft as TemplateDraft) : undefined;
}

/** Kept in this browser until it is submitted or discarded, or the user signs out; the oldest give way. */
export function keepTemplateDraft(userId: number, place: string, draft: TemplateDraft | undefined): void {
  const { [place]: _, ...others } = read(userId);
  const kept = draft === undefined ? Object.entries(others) : [...Object.entries(others), [place, draft] as const];
  try {
    localStorage.setItem(prefix + userId, JSON.stringify(Object.fromEntries(kept.slice(-mostKept))));
  } catch {
    // A browser without room keeps none.
  }
}

export function forgetTemplateDrafts(userId: number): void {
  localStorage.removeItem(prefix + userId);
}

export function forgetOtherTemplateDrafts(userId: number): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(prefix) && key !== prefix + userId) localStorage.removeItem(key);
  }
}
