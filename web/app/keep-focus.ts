/** Long enough for a dialog that closes to hand the focus on itself. */
const settleMs = 100;

/**
 * Where what had the focus disappears, by an answer of the server or by being pressed, the focus goes to the nearest
 * part of the page that is left, so that keyboards and screen readers go on from there (WCAG 2.4.3).
 */
export function keepFocus(): void {
  let around: Element[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function catchFocus(): void {
    timer = undefined;
    const [last] = around;
    if (last === undefined || last.isConnected || document.activeElement !== document.body) return;
    const left = around.find((element) => element.isConnected && element !== document.body);
    if (!(left instanceof HTMLElement)) return;
    if (left.tabIndex < 0) {
      left.tabIndex = -1;
      // A part of the page is no control: a ring around half of it would say that it is.
      left.style.outline = 'none';
    }
    left.focus({ preventScroll: true });
  }

  document.addEventListener('focusin', ({ target }) => {
    around = target instanceof Element ? withAncestors(target) : [];
  });
  const observer = new MutationObserver(() => {
    if (timer === undefined && around[0]?.isConnected === false) timer = setTimeout(catchFocus, settleMs);
  });
  observer.observe(document.body, { childList: true, subtree: true });
}

function withAncestors(element: Element): Element[] {
  const elements: Element[] = [];
  for (let current: Element | null = element; current !== null; current = current.parentElement) elements.push(current);
  return elements;
}
