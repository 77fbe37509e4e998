const usualPx = 16;

/** How large the browser shows text, as a multiple of the usual size: rows that are laid out by number grow with it. */
export const textScale = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / usualPx;
