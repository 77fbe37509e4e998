import type { KyselyPlugin, RawNode, RootOperationNode } from 'kysely';
import { defaultSchema, sharedName } from './shared-names.ts';

/**
 * The phrases by which statements of migrations name the schema `public`, or what all of the database shares; functions
 * of the owner fix their search path.
 */
const phrases: [RegExp, (schema: string, name: string) => string][] = [
  [/set search_path = public, pg_temp/g, (schema) => `set search_path = "${schema}", pg_temp`],
  [/'public'::regnamespace/g, (schema) => `'"${schema}"'::regnamespace`],
  [/(?<=pg_notify\(')dovepost_\w+/g, (schema, name) => sharedName(schema, name)],
  [/(?<=hashtextextended\(')dovepost request log/g, (schema, name) => sharedName(schema, name)],
];

const rewrite = (text: string, schema: string) =>
  phrases.reduce((written, [phrase, own]) => written.replaceAll(phrase, (name) => own(schema, name)), text);

const isRaw = (node: RootOperationNode): node is RawNode => node.kind === 'RawNode';

/**
 * Migrations are written for `public`, and never changed once they have landed: for another schema their text is. A name
 * that such a function does not find in its schema must not be looked for in `public`, where another product may live.
 */
export function writtenFor(schema: string): KyselyPlugin {
  return {
    transformQuery({ node }) {
      if (schema === defaultSchema || !isRaw(node)) return node;
      return { ...node, sqlFragments: node.sqlFragments.map((text) => rewrite(text, schema)) };
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
}
