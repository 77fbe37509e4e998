import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Dovepost } from '../index.ts';
import { createMcpServer } from './create-mcp-server.ts';

/** Serves until the other side closes, or it is interrupted. */
export async function serveOverStdio(
  client: Dovepost,
  { allowed, signal }: { allowed: readonly string[]; signal: AbortSignal },
): Promise<void> {
  const server = createMcpServer(client, { allowed });
  const closed = new Promise<void>((resolve) => {
    process.stdin.once('end', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await server.connect(new StdioServerTransport());
  await closed;
  await server.close();
}
