/** The published package's own package.json. The package has no dependencies; only its commands need Node. */
export function manifest(version: string): object {
  return {
    name: 'dovepost',
    version,
    description:
      'The client of Dovepost: sends WhatsApp messages, verifies webhooks. With a command line and an MCP server.',
    keywords: ['whatsapp', 'messages', 'webhooks', 'mcp'],
    license: 'SEE LICENSE IN LICENSE',
    type: 'module',
    engines: { node: '>=20.3' },
    sideEffects: false,
    exports: { '.': { types: './types/index.d.ts', default: './index.js' }, './package.json': './package.json' },
    types: './types/index.d.ts',
    bin: { dovepost: 'cli.js' },
  };
}
