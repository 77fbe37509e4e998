import { useState } from 'react';
import type { Profile } from '#contracts/profiles.ts';
import type { WhatsappTemplate } from '#contracts/whatsapp-templates.ts';
import { ApiError } from '../api-error.ts';
import { attachedType } from '../attach/attached-type.ts';
import { useAttach } from '../attach/use-attach.ts';
import { headerFault } from './use-bound-template.ts';
import { variableDefaults } from './variable-defaults.ts';

/** Where the server's path of a fault stands in the form. */
const fieldOf = (path: string) => path.replace(/^template\./, '').replace(/^header_media.*/, 'header_media');

type Options = { place: string; projectId: number; profile?: Profile | undefined };

/** A template that is being filled: its variables begin with what the profile says. */
export function useTemplateMessage({ place, projectId, profile }: Options) {
  const [template, setTemplate] = useState<WhatsappTemplate>();
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [faults, setFaults] = useState<readonly { field: string; message: string }[]>([]);
  const kind = template?.header_media ?? undefined;
  const attach = useAttach({
    place,
    projectId,
    faultOf: (type) => headerFault(kind, type),
  });
  const variables = template?.variables ?? [];
  const values: Record<string, string> = { ...variableDefaults(variables, profile), ...typed };
  const { attachment } = attach;

  /** Values that are missing, at their fields. */
  function missing(): { field: string; message: string }[] {
    if (template === undefined) return [{ field: 'name', message: 'Choose a template' }];
    const empty = variables.filter(({ name }) => (values[name] ?? '').trim() === '');
    const hasFile = attachment?.state === 'ready' && (kind === 'document' || attachedType(attachment.media) === kind);
    return [
      ...empty.map(({ name }) => ({ field: `variables.${name}`, message: 'Enter a value for this variable' })),
      ...(kind === undefined || hasFile ? [] : [{ field: 'header_media', message: fileFaults[kind] }]),
    ];
  }

  return {
    template,
    variables,
    values,
    attach,
    errorOf: (field: string) => faults.find((fault) => fault.field === field)?.message,
    choose(next: WhatsappTemplate): void {
      setTemplate(next);
      setTyped({});
      setFaults([]);
      attach.remove();
    },
    set(name: string, value: string): void {
      setTyped((current) => ({ ...current, [name]: value }));
      setFaults((current) => current.filter(({ field }) => field !== `variables.${name}`));
    },
    /** The template as a message names it; undefined while something is missing, which is said at its field. */
    read() {
      const found = missing();
      setFaults(found);
      if (found.length > 0 || template === undefined) return undefined;
      const { name, language } = template;
      const own = Object.fromEntries(
        variables.map((variable) => [variable.name, (values[variable.name] ?? '').trim()]),
      );
      return {
        name,
        language,
        variables: own,
        ...(attachment?.state === 'ready' && { header_media: { id: attachment.media.id } }),
      };
    },
    /** Puts the server's faults at their fields; true when each found one. */
    refuse(error: unknown): boolean {
      if (!(error instanceof ApiError) || error.fieldErrors.length === 0) return false;
      const found = error.fieldErrors.map(({ path, message }) => ({ field: fieldOf(path), message }));
      setFaults(found);
      const shown = new Set(['name', 'header_media', ...variables.map(({ name }) => `variables.${name}`)]);
      return found.every(({ field }) => shown.has(field));
    },
    reset(): void {
      setTemplate(undefined);
      setTyped({});
      setFaults([]);
      attach.remove();
    },
  };
}
export type TemplateMessage = ReturnType<typeof useTemplateMessage>;

const fileFaults = {
  image: 'Add the picture of the header',
  video: 'Add the video of the header',
  document: 'Add the document of the header',
} as const;
