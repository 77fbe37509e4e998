import { z } from 'zod';
import { OptOutSettings } from '#contracts/suppressions.ts';

/** Words as they are typed, one a line. */
const WordLines = z.string().transform((text) =>
  text
    .split('\n')
    .map((word) => word.trim())
    .filter((word) => word !== ''),
);

/** The contract of the settings with its words as texts. */
export const RepliesForm = OptOutSettings.extend({
  opt_out_words: WordLines.pipe(OptOutSettings.shape.opt_out_words),
  opt_in_words: WordLines.pipe(OptOutSettings.shape.opt_in_words),
});

export function formValuesOf(settings: OptOutSettings): z.input<typeof RepliesForm> {
  const { recognizes_replies, confirms_opt_out, opt_out_text, confirms_opt_in, opt_in_text } = settings;
  return {
    recognizes_replies,
    confirms_opt_out,
    opt_out_text,
    confirms_opt_in,
    opt_in_text,
    opt_out_words: settings.opt_out_words.join('\n'),
    opt_in_words: settings.opt_in_words.join('\n'),
  };
}
