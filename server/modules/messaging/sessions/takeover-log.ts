import type { Logger } from '#server/platform/logger.ts';

/** The phones of a process that has died lapse within a few seconds, and are taken in several rounds. */
const quietMs = 5_000;

/** Tells of phones that another worker let lapse in one line, once no more of them come. */
export function createTakeoverLog(logger: Logger): { add(phones: number): void; tell(): void } {
  let phones = 0;
  let timer: NodeJS.Timeout | undefined;
  function tell(): void {
    clearTimeout(timer);
    timer = undefined;
    if (phones > 0) logger.info({ phones }, 'took over the phones of a process that no longer holds them');
    phones = 0;
  }
  return {
    add(more) {
      if (more === 0) return;
      phones += more;
      clearTimeout(timer);
      timer = setTimeout(tell, quietMs).unref();
    },
    tell,
  };
}
