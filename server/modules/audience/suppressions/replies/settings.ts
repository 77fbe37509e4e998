import type { Selectable } from 'kysely';
import type { OptOutSettings } from '#contracts/suppressions.ts';
import type { Context, Tx } from '#server/context.ts';
import type { OptOutSettingsTable } from '../tables.ts';
import { defaultSettings } from './default-words.ts';

export async function findSettings(ctx: Context, accountId: number): Promise<OptOutSettings> {
  const row = await ctx.db
    .selectFrom('opt_out_settings')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row === undefined ? defaultSettings : settingsOf(row);
}

function settingsOf(row: Selectable<OptOutSettingsTable>): OptOutSettings {
  return {
    recognizes_replies: row.recognizes_replies,
    confirms_opt_out: row.confirms_opt_out,
    confirms_opt_in: row.confirms_opt_in,
    opt_out_words: row.opt_out_words ?? defaultSettings.opt_out_words,
    opt_in_words: row.opt_in_words ?? defaultSettings.opt_in_words,
    opt_out_text: row.opt_out_text ?? defaultSettings.opt_out_text,
    opt_in_text: row.opt_in_text ?? defaultSettings.opt_in_text,
  };
}

export async function saveSettings(tx: Tx, accountId: number, settings: OptOutSettings): Promise<void> {
  const stored = { ...settings, ...withoutDefaults(settings) };
  await tx.db
    .insertInto('opt_out_settings')
    .values({ account_id: accountId, ...stored })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(stored))
    .execute();
}

/** Settings with the default words store none, so that they get words added by a later version. */
function withoutDefaults(settings: OptOutSettings) {
  const wordsOf = (name: 'opt_out_words' | 'opt_in_words') =>
    settings[name].join('\n') === defaultSettings[name].join('\n') ? null : settings[name];
  const textOf = (name: 'opt_out_text' | 'opt_in_text') =>
    settings[name] === defaultSettings[name] ? null : settings[name];
  return {
    opt_out_words: wordsOf('opt_out_words'),
    opt_in_words: wordsOf('opt_in_words'),
    opt_out_text: textOf('opt_out_text'),
    opt_in_text: textOf('opt_in_text'),
  };
}
