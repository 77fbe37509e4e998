import { CarriedContent } from '#web/shared/message/carried-content.tsx';
import { AttachedPreview } from './attached-preview.tsx';
import type { CarriedFile } from './carried-file.ts';

/** The file that a form's message carries, or will once it is uploaded, as it stands in its bubble. */
export function CarriedPreview({ shown }: { shown: NonNullable<CarriedFile['shown']> }) {
  return 'file' in shown ? <AttachedPreview attachment={shown} /> : <CarriedContent media={shown} isWhole />;
}
