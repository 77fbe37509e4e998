import { z } from 'zod';
import { boundTemplateField } from './bound-templates.ts';
import { CarriedMedia } from './carried-media.ts';
import { Id, isEstimate, Timestamp } from './page.ts';
import { CostEstimate } from './costs.ts';
import { skipGuide } from './skip-codes.ts';
import type { SkipCode } from './skip-codes.ts';
import { WaitingReason } from './waiting-reason.ts';
import { WhatsappTemplateStatus } from './whatsapp-templates.ts';

/** A placeholder of a message, and the recipients for whom it is empty. */
export const PlaceholderReview = z.object({
  placeholder: z.string().describe('As the message writes it.'),
  path: z.string().describe('Which field, dotted, as you spelled it.'),
  fallback: z.string().nullable().describe('What is read in place of an empty value; null: nothing.'),
  empty: z.int().nonnegative().describe('Of those who get the message, how many have no value for it.'),
  reads: z.string().describe('The words around it as they read where it is empty.'),
  is_unknown: z.boolean().describe('None of them has one: it may be misspelt.'),
});
export type PlaceholderReview = z.infer<typeof PlaceholderReview>;

/** When all have been written to, if nothing happens to the phones. */
export const SendingForecast = z.object({
  starts_at: Timestamp.describe('When it begins.'),
  done_at: Timestamp.nullable().describe('About when the last one goes out; null: not within a year, or never.'),
  count: z.int().nonnegative().describe('How many go out by then, or within a year.'),
  phones: z.int().nonnegative().describe('How many phones of the project would send.'),
  days: z
    .array(
      z.object({
        date: z.iso.date().describe('YYYY-MM-DD'),
        count: z.int().nonnegative().describe('How many match in all.'),
      }),
    )
    .describe("How many on which day of the account's time zone; the first ones alone where it takes long."),
  waiting_for: WaitingReason.nullable().describe('What keeps the project from sending now.'),
});
export type SendingForecast = z.infer<typeof SendingForecast>;

/** Why people would be left out: all that can be foreseen. */
export const reviewedCodes = (Object.keys(skipGuide) as SkipCode[]).filter(
  (code): code is ReviewedCode => code !== 'withdrawn',
);
type ReviewedCode = Exclude<SkipCode, 'withdrawn'>;

const Skipped = z.object(
  Object.fromEntries(reviewedCodes.map((code) => [code, z.int().nonnegative().describe(skipGuide[code])])) as Record<
    ReviewedCode,
    z.ZodInt
  >,
);

/** Tells of content for which WhatsApp takes a message for spam, where people get it who never wrote to the project's phones. */
export const ReviewWarning = z.object({
  code: z
    .enum(['identical_text', 'link'])
    .describe('`identical_text`: 50 such people or more get the same words. `link`: the text holds one.'),
  first_contacts: z.int().positive().describe('How many of those who get it never wrote to a phone of the project.'),
});
export type ReviewWarning = z.infer<typeof ReviewWarning>;

/** A WhatsApp template as a sample recipient would get it; its body is the sample's `message`. */
const SampleTemplate = z.object({
  language: z.string().describe('In which they get it.'),
  variables: z.record(z.string(), z.string()).describe('What fills each variable for them.'),
  header: z.string().nullable().describe('The text above it.'),
  footer: z.string().nullable().describe('The text below it.'),
  buttons: z
    .array(
      z.object({ type: z.string().describe('As the template has it.'), text: z.string().describe('What it said.') }),
    )
    .describe('The buttons below it.'),
});
export type SampleTemplate = z.infer<typeof SampleTemplate>;

/** The expected outcome of a message that goes to many, before it goes. */
export const Review = z.object({
  total: z.int().nonnegative().describe('How many there are in all.'),
  will_receive: z.int().nonnegative().describe('How many get it.'),
  is_estimate: isEstimate,
  skipped: Skipped.describe('How many would be left out, for each reason.'),
  duplicates: z.int().nonnegative().describe('Of those who get it, how many have a number that another one has too.'),
  capped_waiting: z
    .int()
    .nonnegative()
    .describe(
      'Of those who get it, how many have had as many messages as the caps allow: with `when_capped` `wait` they get it ' +
        'when there may be another one. The forecast is of the others.',
    ),
  placeholders: z.array(PlaceholderReview).describe('Those of the message, and whom each has nothing to say to.'),
  warnings: z.array(ReviewWarning).describe('Advice, none of which keeps anything from going.'),
  samples: z
    .array(
      z.object({
        profile_id: Id.nullable().describe('Null in a bulk run.'),
        name: z.string().nullable().describe('Its name, for people.'),
        phone: z.string().describe('The full number with the calling code, digits.'),
        message: z.string().describe('The text.'),
        template: SampleTemplate.nullable().describe('Of a template: what stands around its text, and what fills it.'),
      }),
    )
    .describe('Some of those who will get it, with the message as they will read it.'),
  media: CarriedMedia.nullable().describe('The file that it carries.'),
  template: boundTemplateField,
  languages: z
    .array(
      z.object({
        language: z.string().describe('Of the template.'),
        status: WhatsappTemplateStatus.describe('How far it has come, or how it is now.'),
        count: z.int().nonnegative().describe('How many get it in this language.'),
      }),
    )
    .describe('Of a template, in which language how many get it; empty without one.'),
  cost: CostEstimate.nullable().describe(
    'What delivering it is expected to cost by the price list; null where no number of the official API would send.',
  ),
  forecast: SendingForecast.nullable().describe('Null where no project is named.'),
});
export type Review = z.infer<typeof Review>;

/** Further input for the forecast. */
export const reviewOptions = {
  project_id: Id.optional().describe('Over whose phones it would go; left out, there is no forecast.'),
};
