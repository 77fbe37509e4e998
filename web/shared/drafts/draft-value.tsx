import { useQueries, useQuery } from '@tanstack/react-query';
import type { Condition } from '#contracts/conditions.ts';
import type { Expression } from '#contracts/expressions.ts';
import { isWhole } from '../builder/expression-preview.tsx';
import { conditionParts } from '../conditions/condition-words.ts';
import { expressionWords } from '../conditions/expression-words.ts';
import { useExpressionNames } from '../conditions/use-expression-names.ts';
import { segmentNameQuery } from '../pick/segment-list.tsx';
import { projectsQuery } from '../queries.ts';
import { topicsQuery } from '../topics/topics-query.ts';
import { readableValue } from './draft-content.ts';

/** The value of a field as people read it: things by their names, conditions as sentences. */
export function DraftValue({ path, value }: { path: string; value: unknown }) {
  const name = path.slice(path.lastIndexOf('.') + 1);
  if (/^(?:exclude_)?segment_ids?$/.test(name)) return <SegmentNames ids={numbersOf(value)} />;
  if (/^project_?id$/i.test(name)) return <ProjectName id={value} />;
  if (name === 'topic_id') return <TopicName id={value} />;
  if (name === 'expression') return <ExpressionText value={value} />;
  return <ValueText text={name === 'conditions' ? conditionsText(value) : readableValue(value)} />;
}

function ValueText({ text }: { text: string }) {
  return text === '' ? <span className="text-muted">Empty</span> : <bdi>{text}</bdi>;
}

const numbersOf = (value: unknown) => [value].flat().filter((each) => typeof each === 'number');

/** As it is written here, where its name is not known. */
const numbered = (id: unknown, name: string | undefined) => name ?? (typeof id === 'number' ? `#${id}` : '');

function SegmentNames({ ids }: { ids: number[] }) {
  const found = useQueries({ queries: ids.map((id) => segmentNameQuery(id)) });
  return <ValueText text={ids.map((id, index) => numbered(id, found[index]?.data?.name)).join(', ')} />;
}

function ProjectName({ id }: { id: unknown }) {
  const { data } = useQuery(projectsQuery());
  return <ValueText text={numbered(id, data?.find((project) => project.id === id)?.name)} />;
}

function TopicName({ id }: { id: unknown }) {
  const { data } = useQuery(topicsQuery());
  return <ValueText text={numbered(id, data?.find((topic) => topic.id === id)?.name)} />;
}

/** Flows keep theirs as JSON. */
function ExpressionText({ value }: { value: unknown }) {
  const expression = (typeof value === 'string' ? JSON.parse(value) : (value ?? null)) as Expression | null;
  const names = useExpressionNames(expression);
  if (expression === null) return <ValueText text="" />;
  return <ValueText text={isWhole(expression) ? expressionWords(expression, names) : 'Not finished'} />;
}

function conditionsText(value: unknown): string {
  const conditions = (Array.isArray(value) ? value : []) as Condition[];
  return conditions
    .map((condition) => {
      const { path, words, value: compared } = conditionParts(condition);
      return [path, words, compared].filter((part) => part !== undefined).join(' ');
    })
    .join(' and ');
}
