import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Dovepost } from '../index.ts';
import { createMcpServer } from './create-mcp-server.ts';
import type { McpOptions } from './create-mcp-server.ts';

export { allowable } from './create-mcp-server.ts';

/** Serves until the other side closes, or it is interrupted. */
export async function serveOverStdio(
  client: Dovepost,
  { signal, ...options }: McpOptions & { signal: AbortSignal },
): Promise<void> {
  const server = createMcpServer(client, options);
  const closed = new Promise<void>((resolve) => {
    process.stdin.once('end', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await server.connect(new StdioServerTransport());
  await closed;
  await server.close();
}
