import { useQueries, useQuery } from '@tanstack/react-query';
import { nodesOf, type Expression } from '#contracts/expressions.ts';
import { segmentNameQuery } from '../pick/segment-list.tsx';
import { campaignQuery, flowQuery } from '../queries.ts';
import { topicsQuery } from '../topics/topics-query.ts';
import type { ExpressionNames } from './expression-words.ts';
import { useFieldNames } from './use-field-names.ts';

/** The names of what an expression refers to, as far as they have loaded. */
export function useExpressionNames(expression: Expression | null | undefined): ExpressionNames {
  const nodes = expression ? nodesOf(expression).map(({ node }) => node) : [];
  const messages = nodes.flatMap((node) => ('message' in node ? [node.message] : []));
  const idsOf = (kind: 'campaign' | 'flow') =>
    distinct(messages.flatMap(({ of, id }) => (of === kind && id !== undefined ? [id] : [])));
  const segmentIds = distinct(nodes.flatMap((node) => ('segment' in node ? [node.segment] : [])));
  const segments = named(useQueries({ queries: segmentIds.map((id) => segmentNameQuery(id)) }));
  const campaigns = named(useQueries({ queries: idsOf('campaign').map((id) => campaignQuery(id)) }));
  const flows = named(useQueries({ queries: idsOf('flow').map((id) => flowQuery(id)) }));
  const { data: topics = [] } = useQuery({ ...topicsQuery(), enabled: nodes.some((node) => 'topic' in node) });
  return {
    segment: (id) => segments.get(id),
    topic: (id) => topics.find((topic) => topic.id === id)?.name,
    field: useFieldNames(nodes.flatMap((node) => ('field' in node ? [node.field] : []))),
    source: (of, id) => ({ campaign: campaigns, flow: flows, any: undefined })[of]?.get(id),
  };
}

/** A line that is not finished names nothing yet. */
const distinct = (ids: readonly number[]) => [...new Set(ids)].filter((id) => id > 0);

const named = (found: readonly { data: { id: number; name: string } | undefined }[]) =>
  new Map(found.flatMap(({ data }) => (data ? [[data.id, data.name] as const] : [])));
