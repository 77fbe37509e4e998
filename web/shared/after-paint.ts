/**
 * Runs what can wait once the page has shown what it has; at once in a tab in the background, which paints nothing.
 * Returns what calls it off.
 */
export function afterPaint(run: () => void): () => void {
  if (document.hidden) {
    run();
    return () => undefined;
  }
  let timer: number | undefined;
  // Frames are asked for before the paint; a task behind one comes after it.
  const frame = requestAnimationFrame(() => {
    timer = window.setTimeout(run);
  });
  return () => {
    cancelAnimationFrame(frame);
    window.clearTimeout(timer);
  };
}
