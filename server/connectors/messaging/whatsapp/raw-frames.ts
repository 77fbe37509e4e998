import type { BinaryNode, WASocket } from 'baileys';
import type { Logger } from '#server/platform/logger.ts';
import type { FrameGate } from './frame-gate.ts';

export type RawSocket = { send(data: Uint8Array, done?: (error?: Error) => void): void; terminate(): void };

/** Baileys confirms a receipt when it is told of it: that waits for the store, and no other frame waits with it. */
export function confirmReceiptsOnceStored(
  sock: WASocket,
  storedOf: (frame: BinaryNode) => Promise<void> | undefined,
  logger: Logger,
): void {
  const emit = sock.ws.emit.bind(sock.ws);
  sock.ws.emit = (event: string | symbol, ...args: unknown[]) => {
    const stored = event === 'CB:receipt' ? storedOf(args[0] as BinaryNode) : undefined;
    if (!stored) return emit(event, ...args);
    stored.then(
      () => emit(event, ...args),
      (error: unknown) => logger.warn({ err: error }, 'a receipt is left to come again'),
    );
    return true;
  };
}

/**
 * The WebSocket inside Baileys' own client is there as soon as the socket is made, and everything is written through
 * it. Baileys goes on as if each frame were written at once, so that the next message is encrypted meanwhile.
 */
export function gateFrames(sock: WASocket, gate: FrameGate): RawSocket {
  const { socket } = sock.ws as unknown as { socket: RawSocket };
  const send = socket.send.bind(socket);
  socket.send = (data, done) => {
    gate.pass(() => send(data));
    done?.();
  };
  return socket;
}

/**
 * The type of content that a stanza says it holds back, which is never sent again; empty for content that the handset
 * may send.
 */
export function unavailableKind({ tag, content }: BinaryNode): string | undefined {
  const parts = tag === 'message' && Array.isArray(content) ? content : [];
  const held = parts.find((part) => part.tag === 'unavailable');
  if (!held || parts.some((part) => part.tag === 'enc')) return undefined;
  const { type = '' } = held.attrs;
  return type.endsWith('_unavailable_fanout') ? type.replace('_unavailable_fanout', '') : '';
}

export function ciphertextsOf({ tag, content }: BinaryNode): Uint8Array[] {
  if (tag !== 'message' || !Array.isArray(content)) return [];
  return content.flatMap((part) => (part.tag === 'enc' && part.content instanceof Uint8Array ? [part.content] : []));
}
