import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { headerMediaOf, type HeaderMedia } from '#contracts/whatsapp-template-parts.ts';
import type { WhatsappTemplate } from '#contracts/whatsapp-templates.ts';
import { useCarriedFile } from '../attach/carried-file.ts';
import { chosenValue, noText, type BoundText, type BoundValue } from './bound-value.ts';
import { namedTemplatesQuery } from './template-queries.ts';

type Options = {
  /** Undefined while none is chosen. */
  projectId: number | undefined;
  value: BoundValue;
  /** An upload ends later than the value of that moment: it changes the present one. */
  change: (next: (now: BoundValue) => BoundValue) => void;
  isOff: boolean;
  place?: string;
};

/** The WhatsApp template of a form: its versions in all languages, its variables and the file of its header. */
export function useBoundTemplate({ projectId, value, change, isOff, place }: Options) {
  const { ofAccount, template, isPending } = useNamed(projectId, value);
  const kind = template ? headerMediaOf(template) : (value?.header ?? undefined);
  const file = useCarriedFile({
    ...(place !== undefined && { place }),
    value: value?.header_media ?? null,
    onChange: (media) => change((now) => now && { ...now, header_media: media }),
    isOff,
    faultOf: (type) => headerFault(kind, type),
  });
  // The network may have given it other variables since it was chosen.
  const isOther = template !== undefined && !isOff && namesOf(template) !== Object.keys(value?.variables ?? {}).join();
  const refit = useEffectEvent(() => template && change((now) => now && chosenValue(template, now)));
  useEffect(() => {
    if (isOther) refit();
  }, [isOther]);

  return {
    value,
    projectId,
    template,
    kind,
    languages: languagesOf(ofAccount, template),
    isMissing: value !== null && projectId !== undefined && !isPending && template === undefined,
    file,
    isOff,
    choose: (chosen: WhatsappTemplate) => change((now) => chosenValue(chosen, now)),
    set: (variable: string, bound: BoundText) =>
      change((now) => now && { ...now, variables: { ...now.variables, [variable]: bound } }),
  };
}
export type BoundTemplateForm = ReturnType<typeof useBoundTemplate>;

/** The chosen template as it is now, and its versions in other languages. */
export function useNamed(projectId: number | undefined, value: BoundValue) {
  const { data: named = [], isPending } = useQuery({
    ...namedTemplatesQuery(projectId ?? 0, value?.name ?? ''),
    enabled: projectId !== undefined && value !== null,
  });
  const ofAccount = named.filter((each) => each.business_account_id === value?.business_account_id);
  return { ofAccount, template: ofAccount.find(({ language }) => language === value?.language), isPending };
}

/** Undefined where the header takes files of this type. */
export function headerFault(kind: HeaderMedia | undefined, type: string): string | undefined {
  if (kind === undefined || kind === 'document' || type === '' || type.startsWith(`${kind}/`)) return undefined;
  return `The header takes ${kind === 'image' ? 'a picture' : 'a video'}.`;
}

const namesOf = (template: WhatsappTemplate) => variablesIn(template).join();

const variablesIn = ({ variables }: WhatsappTemplate) => variables.map(({ name }) => name);

/** As the server binds them: those that can be sent now or after a pause, and whose variables are all bound. */
function languagesOf(named: readonly WhatsappTemplate[], chosen: WhatsappTemplate | undefined) {
  if (!chosen) return { sent: [], others: [] };
  const bound = new Set(variablesIn(chosen));
  const isSent = (template: WhatsappTemplate) =>
    (template.status === 'approved' || template.status === 'paused') &&
    template.header_media === chosen.header_media &&
    variablesIn(template).every((name) => bound.has(name));
  return { sent: named.filter(isSent), others: named.filter((template) => !isSent(template)) };
}

/** The variables of the template as it is now, each with the text that is typed. */
export function boundVariables({ value, template }: Pick<BoundTemplateForm, 'value' | 'template'>) {
  const names =
    template?.variables ?? Object.keys(value?.variables ?? {}).map((name) => ({ name, part: 'body' as const }));
  return names.map(({ name, part }) => ({ name, part, bound: value?.variables[name] ?? noText }));
}
