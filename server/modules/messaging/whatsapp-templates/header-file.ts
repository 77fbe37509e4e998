import { headerMediaOf } from '#contracts/whatsapp-template-parts.ts';
import type { TemplateComponent } from '#contracts/whatsapp-template-parts.ts';
import { MediaMissingError } from '#server/connectors/messaging/port.ts';
import type { TemplateAccess, TemplateAnswer } from '#server/connectors/messaging/port.ts';
import type { AccountContext } from '#server/context.ts';
import { holdMedia, mediaAccessOf } from '#server/modules/messaging/media/index.ts';
import { InvalidInputError } from '#server/platform/errors.ts';

const refused = (message: string) => new InvalidInputError([{ path: 'header_media.id', message }]);

/** The parts as they are checked before the file is uploaded. Throws 422 where the header takes no file. */
export function announceFile(
  components: readonly TemplateComponent[],
  file: { id: string } | undefined,
): TemplateComponent[] {
  if (!file) return [...components];
  if (!headerMediaOf({ components })) throw refused('The header takes no file');
  return components.map((component) =>
    component.type.toUpperCase() === 'HEADER' ? { ...component, example: { header_handle: [] } } : component,
  );
}

type Wanted = {
  phoneId: number;
  credentials: string;
  templates: TemplateAccess;
  components: readonly TemplateComponent[];
  mediaId: string;
};

/** Uploads the file as the header's example. Throws 422 where there is none, or it does not fit. */
export async function handleOf(
  ctx: AccountContext,
  { phoneId, credentials, templates, components, mediaId }: Wanted,
): Promise<TemplateAnswer<string>> {
  const type = headerMediaOf({ components });
  if (!type) throw refused('The header takes no file');
  const file = await holdMedia(ctx, { mediaId, type, until: ctx.clock.now() });
  if ('fault' in file) throw refused(file.fault);
  const media = mediaAccessOf(ctx, { accountId: ctx.account.id, phoneId });
  try {
    return await templates.uploadExample(credentials, { media, file });
  } catch (error) {
    if (error instanceof MediaMissingError) throw refused('The file has been removed');
    throw error;
  }
}
