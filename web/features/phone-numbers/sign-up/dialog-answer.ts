const channelName = 'dovepost.official-sign-up';

/** As Meta's dialog hands it to the page that it returns to. */
export type DialogAnswer = { state: string | null; code: string | null; isDeclined: boolean };

/** Said by the window that Meta sends back. */
export function announceAnswer(answer: DialogAnswer): void {
  const channel = new BroadcastChannel(channelName);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel has its own origin alone.
  channel.postMessage(answer);
  channel.close();
}

export function onAnswer(listener: (answer: DialogAnswer) => void): () => void {
  const channel = new BroadcastChannel(channelName);
  channel.addEventListener('message', ({ data }: MessageEvent<DialogAnswer>) => listener(data));
  return () => channel.close();
}
