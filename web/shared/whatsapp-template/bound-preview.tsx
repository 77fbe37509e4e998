import type { Review } from '#contracts/reviews.ts';
import { CarriedPreview } from '../attach/carried-preview.tsx';
import { FilledBubble, TemplateBubble } from './template-bubble.tsx';
import { boundVariables, type BoundTemplateForm } from './use-bound-template.ts';

type Shown = Pick<BoundTemplateForm, 'value' | 'template'>;

type BoundPreviewProps = {
  form: Shown & { file: Pick<BoundTemplateForm['file'], 'shown'> };
  /** Fills a text of a variable before there is anybody to fill it for. */
  fill: (text: string) => string;
  /** Somebody who gets it. */
  sample?: Pick<Review['samples'][number], 'message' | 'template'> | undefined;
};

/** The typed template as somebody reads it. */
export function BoundPreview({ form, fill, sample }: BoundPreviewProps) {
  const { template, file } = form;
  const carried = file.shown && <CarriedPreview shown={file.shown} />;
  if (sample?.template) {
    const { header, footer, buttons } = sample.template;
    return <FilledBubble header={header} body={sample.message} footer={footer} buttons={buttons} carried={carried} />;
  }
  if (template === undefined) return <p className="m-auto text-13 text-chat-meta">Your message as it arrives</p>;
  return <TemplateBubble template={template} values={valuesOf(form, fill)} {...(carried && { carried })} />;
}

/** The values of the variables that are not empty. */
export const valuesOf = (form: Shown, fill: (text: string) => string): Record<string, string> =>
  Object.fromEntries(
    boundVariables(form).flatMap(({ name, bound }): [string, string][] => {
      const value = fill(bound.text).trim() || bound.default.trim();
      return value === '' ? [] : [[name, value]];
    }),
  );
