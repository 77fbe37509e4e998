import { useLayoutEffect, useState, type RefObject } from 'react';

export type ToastPlace = 'bottom-right' | 'top' | 'bottom-left' | 'bottom';

/** In the order of preference. */
const places: readonly ToastPlace[] = ['bottom-right', 'top', 'bottom-left', 'bottom'];

/** As far from the edges as `placeClass` in the toaster says, with room for the page's header at the top. */
const edgePx = 24;
const topPx = 64;

/** A toast touching a button would be in the way of whoever aims at it. */
const clearancePx = 4;

/** A dialog that closes as the toast appears is gone by then, and what it covered is there. */
const settleMs = 250;

const controls = 'button, a[href], input, select, textarea, [role="menuitem"], [role="option"], [role="switch"]';

type Box = { left: number; top: number; right: number; bottom: number };

/** Where toasts lie over no control, or over the fewest. */
export function useToastPlace(ref: RefObject<HTMLElement | null>, toasts: readonly unknown[]): ToastPlace {
  const [place, setPlace] = useState<ToastPlace>('bottom-right');
  useLayoutEffect(() => {
    if (toasts.length === 0) return undefined;
    const choose = () => ref.current !== null && setPlace((current) => choosePlace(ref.current, current));
    let timer: ReturnType<typeof setTimeout>;
    const chooseTwice = () => {
      clearTimeout(timer);
      choose();
      timer = setTimeout(choose, settleMs);
    };
    chooseTwice();
    // Dialogs stand in the body: one that opens or closes while a toast is shown brings other controls.
    const dialogs = new MutationObserver(chooseTwice);
    dialogs.observe(document.body, { childList: true });
    return () => {
      clearTimeout(timer);
      dialogs.disconnect();
    };
  }, [ref, toasts]);
  return place;
}

function choosePlace(toaster: HTMLElement | null, current: ToastPlace): ToastPlace {
  if (toaster === null || toaster.childElementCount === 0) return current;
  const size = { width: toaster.offsetWidth, height: toaster.offsetHeight };
  const taken = controlBoxes(toaster);
  const covered = (place: ToastPlace) =>
    taken.filter(({ box }) => overlaps(box, boxOf(place, size))).reduce((sum, { weight }) => sum + weight, 0);
  let best = current;
  let fewest = covered(current);
  for (const place of places) {
    const count = covered(place);
    if (count >= fewest) continue;
    best = place;
    fewest = count;
  }
  return best;
}

/** The controls that can be pressed now: of the open dialog, else of the page. A field can be scrolled from beneath a toast. */
function controlBoxes(toaster: HTMLElement): { box: Box; weight: number }[] {
  const dialogs = document.querySelectorAll('[role="dialog"], [role="alertdialog"]');
  const room: ParentNode = dialogs.item(dialogs.length - 1) ?? document;
  return [...room.querySelectorAll(controls)]
    .filter((control) => !toaster.contains(control) && control.checkVisibility())
    .map((control) => ({ box: control.getBoundingClientRect(), weight: control.matches('button, a') ? 4 : 1 }));
}

function boxOf(place: ToastPlace, { width, height }: { width: number; height: number }): Box {
  const { clientWidth, clientHeight } = document.documentElement;
  const left = {
    'bottom-right': clientWidth - edgePx - width,
    'bottom-left': edgePx,
    top: (clientWidth - width) / 2,
    bottom: (clientWidth - width) / 2,
  }[place];
  const top = place === 'top' ? topPx : clientHeight - edgePx - height;
  return { left, top, right: left + width, bottom: top + height };
}

function overlaps(a: Box, b: Box): boolean {
  return (
    a.left < b.right + clearancePx &&
    a.right > b.left - clearancePx &&
    a.top < b.bottom + clearancePx &&
    a.bottom > b.top - clearancePx
  );
}
