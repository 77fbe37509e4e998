import { useLayoutEffect, useState, type RefObject } from 'react';

/** The width of an element in pixels, told anew whenever it changes; 0 until it stands. */
export function useElementWidth(ref: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    // Measured before the first paint, so that nothing is seen to jump.
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return width;
}
