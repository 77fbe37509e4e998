/**
 * Runs what can wait once the page has shown what it has; at once in a tab in the background, which paints nothing.
 * Returns what calls it off.
 */
export function afterPaint(run: () => void): () => void {
  if (document.hidden) {
    run();
    return () => undefined;
  }
  // A frame is asked for before its paint: the next one comes after it.
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(run);
  });
  return () => cancelAnimationFrame(frame);
}
