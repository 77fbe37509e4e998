import ts from 'typescript';

/** `table` is undefined where the statement gets it as a value. */
export type Write = { line: number; table: string | undefined };

const kyselyWrites = new Set(['insertInto', 'updateTable', 'deleteFrom', 'replaceInto', 'mergeInto']);

/** A table's name, or \0 in the place of a value. */
const sqlWrites =
  /\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate(?:\s+table)?)\s+(?:only\s+)?"?(\w+|\0)/gi;

const lineOf = (node: ts.Node) => node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1;

/** `of`, `set` and `skip` follow `for update` and `on conflict do update`; a text is only SQL where it names a table. */
const isTable = (name: string, tables: ReadonlySet<string>) => name === '\0' || tables.has(name.toLowerCase());

export function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.templateSpans.reduce((text, { literal }) => `${text}\0${literal.text}`, node.head.text);
}

function kyselyWrite(node: ts.Node): Write | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  if (!kyselyWrites.has(node.expression.name.text)) return undefined;
  const [table] = node.arguments;
  const name = table && ts.isStringLiteral(table) ? table.text.split(' ')[0] : undefined;
  return { line: lineOf(node), table: name };
}

/** Finds the tables a file writes to, through Kysely or through SQL in string literals. */
export function findWrites(file: ts.SourceFile, tables: ReadonlySet<string>): Write[] {
  const writes: Write[] = [];
  function visit(node: ts.Node): void {
    const write = kyselyWrite(node);
    if (write) writes.push(write);
    for (const [, name = ''] of textOf(node)?.matchAll(sqlWrites) ?? []) {
      if (isTable(name, tables))
        writes.push({ line: lineOf(node), table: name === '\0' ? undefined : name.toLowerCase() });
    }
    ts.forEachChild(node, visit);
  }
  visit(file);
  return writes;
}
