import { z } from 'zod';
import { TemplateComponent } from '#contracts/whatsapp-template-parts.ts';
import { cleanText } from '../network-values.ts';
import type { NetworkTemplate, TemplateAccess, TemplateAnswer } from '../port.ts';
import { parseCredentials } from './credentials.ts';
import { adviceFor } from './faults.ts';
import type { Graph, GraphAnswer } from './graph.ts';
import { SuccessAnswer } from './schemas.ts';
import { uploadExample } from './upload-example.ts';

const word = z.string().optional().catch(undefined);

const Template = z.object({
  id: z.coerce.string().min(1),
  name: z.string().min(1).max(512),
  language: z.string().min(1).max(20),
  category: z.string(),
  status: z.string(),
  parameter_format: word,
  rejected_reason: word,
  quality_score: z.object({ score: word }).optional().catch(undefined),
  components: z.array(z.unknown()).catch([]),
});

const Page = z.object({
  data: z.array(z.unknown()),
  paging: z
    .object({ cursors: z.object({ after: word }).optional().catch(undefined), next: word })
    .optional()
    .catch(undefined),
});

const Created = z.object({ id: z.coerce.string().min(1), status: word, category: word });

const fields = Object.keys(Template.shape).join(',');
const pageSize = 200;
/** A verified business may have 6,000. */
const maxPages = 50;

const statuses: Readonly<Record<string, NetworkTemplate['status']>> = {
  APPROVED: 'approved',
  REINSTATED: 'approved',
  UNPAUSED: 'approved',
  PENDING: 'pending',
  IN_APPEAL: 'pending',
  REJECTED: 'rejected',
  PAUSED: 'paused',
  DISABLED: 'disabled',
};

/** The network's word for a status; one that is not known is not usable. */
export const templateStatusOf = (text: string | undefined): NetworkTemplate['status'] =>
  statuses[(text ?? '').toUpperCase()] ?? 'other';

const qualities: Readonly<Record<string, NetworkTemplate['quality']>> = { GREEN: 'high', YELLOW: 'medium', RED: 'low' };

export const templateQualityOf = (score: string | undefined): NetworkTemplate['quality'] =>
  qualities[(score ?? '').toUpperCase()] ?? 'unknown';

/** Categories that are not known are treated as marketing, for which the strictest rules hold. */
export function templateCategoryOf(text: string | undefined): NetworkTemplate['category'] {
  const name = (text ?? '').toLowerCase();
  return name === 'utility' || name === 'authentication' ? name : 'marketing';
}

/** Webhooks may write `en-US` where sending wants `en_US`. */
export const templateLanguageOf = (text: string) => text.replaceAll('-', '_');

export const templateReasonOf = (text: string | undefined): string | null =>
  text === undefined || text === '' || text === 'NONE' ? null : cleanText(text.replaceAll('_', ' ').toLowerCase(), 500);

function readTemplate(raw: unknown): NetworkTemplate[] {
  const parsed = Template.safeParse(raw);
  if (!parsed.success) return [];
  const {
    id,
    name,
    language,
    category,
    status,
    parameter_format: format,
    rejected_reason,
    quality_score,
  } = parsed.data;
  return [
    {
      networkId: id,
      name,
      language,
      category: templateCategoryOf(category),
      status: templateStatusOf(status),
      reason: templateReasonOf(rejected_reason),
      quality: templateQualityOf(quality_score?.score),
      parameterFormat: format?.toLowerCase() === 'named' ? 'named' : 'positional',
      components: parsed.data.components.flatMap((component) => {
        const read = TemplateComponent.safeParse(component);
        return read.success ? [read.data] : [];
      }),
    },
  ];
}

function failed(answer: Exclude<GraphAnswer<unknown>, { kind: 'answered' }>): TemplateAnswer<never> {
  if (answer.kind === 'fault') return { kind: 'refused', reason: adviceFor(answer.fault) };
  return { kind: 'unreachable', reason: answer.reason };
}

/** Templates of a business account. Source: developers.facebook.com/docs/whatsapp/business-management-api/message-templates. */
export function createTemplateAccess(graph: Graph): TemplateAccess {
  return {
    uploadExample: (text, example) => uploadExample(graph, { credentials: parseCredentials(text), ...example }),
    async list(text) {
      const { business_account_id: account, access_token: token } = parseCredentials(text);
      const found: NetworkTemplate[] = [];
      let after: string | undefined;
      for (let page = 0; page < maxPages; page += 1) {
        const query = new URLSearchParams({ fields, limit: String(pageSize), ...(after !== undefined && { after }) });
        const path = `${account}/message_templates?${query.toString()}`;
        const answer = await graph.call({ method: 'GET', path, token, answer: Page });
        if (answer.kind !== 'answered') return failed(answer);
        const { data, paging } = answer.body;
        found.push(...data.flatMap(readTemplate));
        after = paging?.next === undefined ? undefined : paging.cursors?.after;
        if (after === undefined) return { kind: 'answered', body: found };
      }
      return { kind: 'refused', reason: `The business account has more than ${maxPages * pageSize} templates` };
    },
    async create(text, { name, language, category, parameterFormat, components }) {
      const { business_account_id: account, access_token: token } = parseCredentials(text);
      const json = {
        name,
        language,
        category: category.toUpperCase(),
        parameter_format: parameterFormat,
        components,
      };
      const path = `${account}/message_templates`;
      const answer = await graph.call({ method: 'POST', path, token, json, answer: Created });
      if (answer.kind !== 'answered') return failed(answer);
      const { id, status, category: chosen } = answer.body;
      return {
        kind: 'answered',
        body: { networkId: id, status: templateStatusOf(status), category: templateCategoryOf(chosen ?? category) },
      };
    },
    async edit(text, { networkId, components, category }) {
      const { access_token: token } = parseCredentials(text);
      const json = { components, ...(category !== undefined && { category: category.toUpperCase() }) };
      const answer = await graph.call({ method: 'POST', path: networkId, token, json, answer: SuccessAnswer });
      return answer.kind === 'answered' ? answer : failed(answer);
    },
    async remove(text, { name, networkId }) {
      const { business_account_id: account, access_token: token } = parseCredentials(text);
      const query = new URLSearchParams({ name, hsm_id: networkId });
      const path = `${account}/message_templates?${query.toString()}`;
      const answer = await graph.call({ method: 'DELETE', path, token, answer: SuccessAnswer });
      return answer.kind === 'answered' ? answer : failed(answer);
    },
  };
}
