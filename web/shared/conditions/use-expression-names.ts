import { useQueries, useQuery } from '@tanstack/react-query';
import { nodesOf, type Expression } from '#contracts/expressions.ts';
import { segmentNameQuery } from '../pick/segment-list.tsx';
import { topicsQuery } from '../topics/topics-query.ts';
import type { ExpressionNames } from './expression-words.ts';

/** The names of the segments and topics in an expression, as far as they have loaded. */
export function useExpressionNames(expression: Expression | null | undefined): ExpressionNames {
  const nodes = expression ? nodesOf(expression).map(({ node }) => node) : [];
  const ids = [...new Set(nodes.flatMap((node) => ('segment' in node && node.segment > 0 ? [node.segment] : [])))];
  const found = useQueries({ queries: ids.map((id) => segmentNameQuery(id)) });
  const segments = new Map(found.flatMap(({ data }) => (data ? [[data.id, data.name] as const] : [])));
  const { data: topics = [] } = useQuery({ ...topicsQuery(), enabled: nodes.some((node) => 'topic' in node) });
  return {
    segment: (id) => segments.get(id),
    topic: (id) => topics.find((topic) => topic.id === id)?.name,
  };
}
