import ts from 'typescript';

/** By table or channel: the folder that owns it. */
export type Owners = ReadonlyMap<string, string>;

/** `server/modules/quarter/x/…` → `server/modules/quarter/x`; a file of the server's root is the root's own. */
export function roomOf(path: string): string {
  return /^server\/(?:modules\/[^/]+\/[^/]+|connectors\/[^/]+|platform)/.exec(path)?.[0] ?? 'server';
}

export function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}

/** The tables that a `tables.ts` declares: the properties of its exported type `…Tables`. */
function tablesOf(file: ts.SourceFile): string[] {
  return file.statements.flatMap((statement) => {
    if (!ts.isTypeAliasDeclaration(statement) || !statement.name.text.endsWith('Tables')) return [];
    if (!ts.isTypeLiteralNode(statement.type)) return [];
    return statement.type.members.flatMap(({ name }) => (name && ts.isIdentifier(name) ? [name.text] : []));
  });
}

/** The channels that a `channels.ts` declares: its constants. */
function channelsOf(file: ts.SourceFile): string[] {
  return file.statements.flatMap((statement) => {
    if (!ts.isVariableStatement(statement)) return [];
    return statement.declarationList.declarations.flatMap(({ initializer }) =>
      initializer && ts.isStringLiteral(initializer) ? [initializer.text] : [],
    );
  });
}

export function findOwners(files: readonly ts.SourceFile[]): { tables: Owners; channels: Owners } {
  const ownersOf = (name: RegExp, declared: (file: ts.SourceFile) => string[]) =>
    new Map(
      files
        .filter(({ fileName }) => name.test(fileName))
        .flatMap((file) => declared(file).map((declaration) => [declaration, roomOf(file.fileName)] as const)),
    );
  return { tables: ownersOf(/tables\.ts$/, tablesOf), channels: ownersOf(/\/channels\.ts$/, channelsOf) };
}
