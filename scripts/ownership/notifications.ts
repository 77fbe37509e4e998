import ts from 'typescript';

/** A channel that is notified: its name, or the module that it was imported from. */
export type Notified = { line: number; channel: string };

const lineOf = (node: ts.Node) => node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1;

/** By imported name: the module of ours that it comes from. */
function importsOf(file: ts.SourceFile): Map<string, string> {
  const imports = new Map<string, string>();
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const named = statement.importClause?.namedBindings;
    if (!named || !ts.isNamedImports(named)) continue;
    for (const { name } of named.elements) imports.set(name.text, statement.moduleSpecifier.text);
  }
  return imports;
}

/** The channel's expression in `{ channel: … }` and in `pg_notify(${…}`. */
function channelsIn(node: ts.Node): ts.Node[] {
  if (ts.isPropertyAssignment(node) && node.name.getText() === 'channel') return [node.initializer];
  if (!ts.isTemplateExpression(node)) return [];
  return node.templateSpans.flatMap(({ expression }, index) => {
    const before = index === 0 ? node.head.text : node.templateSpans[index - 1]?.literal.text;
    return before !== undefined && /pg_notify\(\s*$/.test(before) ? [expression] : [];
  });
}

/** Channels of other modules that a file notifies: imported from them, or spelled out. */
export function findForeignChannels(file: ts.SourceFile, foreign: ReadonlySet<string>): Notified[] {
  const imports = importsOf(file);
  const found: Notified[] = [];
  function visit(node: ts.Node): void {
    if ((ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) && foreign.has(node.text)) {
      found.push({ line: lineOf(node), channel: node.text });
    }
    for (const channel of channelsIn(node)) {
      const source = ts.isIdentifier(channel) ? imports.get(channel.text) : undefined;
      if (source?.startsWith('#server/modules/')) found.push({ line: lineOf(node), channel: channel.getText() });
    }
    ts.forEachChild(node, visit);
  }
  visit(file);
  return found;
}
