import type { OptOutSettings, OptOutSettingsChange } from '#contracts/suppressions.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import {
  defaultSettings,
  findSettings,
  normalizeWord,
  readReply,
  saveSettings,
} from '#server/modules/audience/suppressions/index.ts';
import { InvalidInputError } from '#server/platform/errors.ts';

type Answer = OptOutSettings & { defaults: OptOutSettings };

export async function getSettings(ctx: AccountContext): Promise<Answer> {
  return { ...(await findSettings(ctx, ctx.account.id)), defaults: defaultSettings };
}

/** Throws 422 for a word of both lists, one that nothing is left of, and a text that is itself one of the words. */
export async function updateSettings(ctx: AccountContext, change: OptOutSettingsChange): Promise<Answer> {
  return inTransaction(ctx, async (tx) => {
    const named = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const settings: OptOutSettings = { ...(await findSettings(tx, tx.account.id)), ...named };
    requireUsable(settings);
    await saveSettings(tx, tx.account.id, settings);
    return { ...settings, defaults: defaultSettings };
  });
}

function requireUsable(settings: OptOutSettings): void {
  const refuse = (path: keyof OptOutSettings, message: string) => {
    throw new InvalidInputError([{ path, message }]);
  };
  for (const path of ['opt_out_words', 'opt_in_words'] as const) {
    const blank = settings[path].find((word) => normalizeWord(word) === '');
    if (blank !== undefined) refuse(path, `“${blank}” has no letter or digit`);
  }
  const optOut = new Set(settings.opt_out_words.map(normalizeWord));
  const both = settings.opt_in_words.find((word) => optOut.has(normalizeWord(word)));
  if (both !== undefined) refuse('opt_in_words', `“${both}” is a word that opts out, too`);
  // Two parties that confirm to each other by a word would go on for ever.
  for (const path of ['opt_out_text', 'opt_in_text'] as const) {
    if (readReply(settings[path], { ...settings, recognizes_replies: true })) {
      refuse(path, 'The text is itself one of the words');
    }
  }
}
