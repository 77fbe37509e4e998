import type { SentTemplate } from '#contracts/new-message.ts';
import type { Review } from '#contracts/reviews.ts';
import { valuesOf } from './bound-preview.tsx';
import { boundVariables, type BoundTemplateForm } from './use-bound-template.ts';

/** The typed template as one message, filled as somebody reads it; undefined while something is missing. */
export function sampleSend(
  form: BoundTemplateForm,
  fill: (text: string) => string,
  sample?: Pick<Review['samples'][number], 'template'>,
): SentTemplate | undefined {
  const { value, kind } = form;
  const variables = sample?.template?.variables ?? valuesOf(form, fill);
  const isFilled = boundVariables(form).every(({ name }) => variables[name] !== undefined);
  if (value === null || !isFilled || (kind !== undefined && value.header_media === null)) return undefined;
  return {
    name: value.name,
    language: sample?.template?.language ?? value.language,
    variables,
    ...(value.header_media !== null && { header_media: { id: value.header_media.id } }),
  };
}
