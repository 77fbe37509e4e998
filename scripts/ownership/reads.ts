import ts from 'typescript';
import { textOf } from './writes.ts';

export type Read = { line: number; table: string };

const kyselyReads = /^(?:selectFrom|from|using|(?:inner|left|right|full)Join(?:Lateral)?)$/;

/** A statement, and not a sentence that mentions a table. */
const statement = /\b(?:select|update|insert|delete|where|exists)\b|^\s*(?:from|join)\b/i;
const sqlReads = /\b(?:from|join|using)\s+(?:only\s+)?"?(\w+)/gi;

const lineOf = (node: ts.Node) => node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1;

function kyselyRead(node: ts.Node): string[] {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
  if (!kyselyReads.test(node.expression.name.text)) return [];
  const [first] = node.arguments;
  const named = first && ts.isArrayLiteralExpression(first) ? first.elements : first ? [first] : [];
  return named.flatMap((table) => (ts.isStringLiteral(table) ? (table.text.split(' ')[0] ?? []) : []));
}

/** The tables that a file reads, by Kysely or by SQL in its texts. */
export function findReads(file: ts.SourceFile, tables: ReadonlySet<string>): Read[] {
  const reads: Read[] = [];
  function visit(node: ts.Node): void {
    const text = textOf(node);
    const named =
      text !== undefined && statement.test(text) ? [...text.matchAll(sqlReads)].map(([, name]) => name) : [];
    for (const table of [...kyselyRead(node), ...named]) {
      if (table !== undefined && tables.has(table.toLowerCase())) {
        reads.push({ line: lineOf(node), table: table.toLowerCase() });
      }
    }
    ts.forEachChild(node, visit);
  }
  visit(file);
  return reads;
}
