export type PauseRequest = { id: string; pauseMs: number };

// Timers of a page in the background run late, up to a minute; those of a worker do not.
self.addEventListener('message', ({ data }: MessageEvent<PauseRequest>) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has but its page
  setTimeout(() => self.postMessage(data.id), data.pauseMs);
});
