const prefix = 'dovepost.drafts.';
const mostKept = 200;

type Drafts = Record<string, string>;

function read(userId: number): Drafts {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(prefix + userId) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Drafts) : {};
  } catch {
    return {};
  }
}

/** The typed text of a conversation that was not sent; empty for none. */
export function readDraft(userId: number, conversationId: number): string {
  const draft = read(userId)[conversationId];
  return typeof draft === 'string' ? draft : '';
}

/** Kept in this browser until it is sent, or the user signs out; the oldest give way. */
export function keepDraft(userId: number, conversationId: number, text: string): void {
  const { [conversationId]: _, ...others } = read(userId);
  const kept =
    text === '' ? Object.entries(others) : [...Object.entries(others), [String(conversationId), text] as const];
  try {
    localStorage.setItem(prefix + userId, JSON.stringify(Object.fromEntries(kept.slice(-mostKept))));
  } catch {
    // A browser without room keeps none.
  }
}

/** Calls back with the text that another tab keeps for the conversation; answers how to stop that. */
export function watchDraft(userId: number, conversationId: number, onChange: (text: string) => void): () => void {
  const handle = ({ key }: StorageEvent) => {
    if (key === prefix + userId) onChange(readDraft(userId, conversationId));
  };
  window.addEventListener('storage', handle);
  return () => window.removeEventListener('storage', handle);
}

export function forgetDrafts(userId: number): void {
  localStorage.removeItem(prefix + userId);
}

export function forgetOtherDrafts(userId: number): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(prefix) && key !== prefix + userId) localStorage.removeItem(key);
  }
}
