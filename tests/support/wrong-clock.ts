/** `NODE_OPTIONS` with which every script of a process reads a time that is so much later, or earlier, than it is. */
export function clockOffBy(ms: number): string {
  const script = `
    const RealDate = Date;
    globalThis.Date = class extends RealDate {
      constructor(...given) { given.length === 0 ? super(RealDate.now() + ${ms}) : super(...given); }
      static now() { return RealDate.now() + ${ms}; }
    };
  `;
  return `--import=data:text/javascript,${encodeURIComponent(script)}`;
}
