/** The measurements that `bulk-send.ts` calls in the page. */
globalThis.bench = {
  /** Milliseconds from the next choice of a file to the frame that shows its rows. */
  untilRows: (count) =>
    new Promise((resolve) => {
      let chosenAt = 0;
      const look = (now) => {
        const isThere = document.querySelector(`table[aria-rowcount="${count + 1}"] tr[data-index="0"]`) !== null;
        if (isThere) resolve(now - chosenAt);
        else requestAnimationFrame(look);
      };
      const start = () => {
        chosenAt = performance.now();
        requestAnimationFrame(look);
      };
      document.addEventListener('change', start, { capture: true, once: true });
    }),

  /** Scrolls the table by so many pixels in each frame: the times between frames, and how many showed a gap. */
  async scrollRows(label, pixels, frames) {
    const scroller = document.querySelector(`[role="region"][aria-label="${label}"]`);
    const nextFrame = () => new Promise((resolve) => void requestAnimationFrame(resolve));
    scroller.scrollIntoView({ block: 'center' });
    scroller.scrollTop = 0;
    await nextFrame();
    let last = await nextFrame();
    const intervalsMs = [];
    let gaps = 0;
    for (let frame = 0; frame < frames; frame += 1) {
      scroller.scrollTop += pixels;
      const now = await nextFrame();
      intervalsMs.push(now - last);
      last = now;
      const { top, bottom } = scroller.getBoundingClientRect();
      const isFilled = (y) => document.elementFromPoint(400, y)?.closest('tr[data-index], thead') !== null;
      if (![top + 8, (top + bottom) / 2, Math.min(bottom, innerHeight) - 8].every(isFilled)) gaps += 1;
    }
    return { intervalsMs, gaps };
  },
};
