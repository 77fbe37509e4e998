import type { TemplateDraft } from './draft.ts';

/** The uploaded example of a header's file, as the request names it. */
export const headerMediaOf = ({ header, headerFile }: TemplateDraft) =>
  header !== 'none' && header !== 'text' && headerFile !== null && 'id' in headerFile
    ? { header_media: { id: headerFile.id } }
    : {};
