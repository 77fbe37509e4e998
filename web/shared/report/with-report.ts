import type { Report } from '#contracts/reports.ts';

type SourceCounts = {
  total_count: number;
  sent_count: number;
  failed_count: number;
  skipped_count: number;
  waiting_count: number;
};

/** A campaign or a run with the counts of its report, so that all figures of a page are of one moment. */
export function withReport<Source extends SourceCounts>(source: Source, report: Report | undefined): Source {
  if (report === undefined) return source;
  return {
    ...source,
    total_count: report.total,
    sent_count: report.sent,
    failed_count: report.failed,
    skipped_count: report.skipped,
    waiting_count: report.waiting,
  };
}

const soonMs = 2 * 60_000;

/** Outcomes of messages arrive after the last one has gone out: most of them soon, some after days. */
export function outcomesPollMs(finishedAt: string | null, now = Date.now()): number {
  const isSoon = finishedAt !== null && now - Date.parse(finishedAt) < soonMs;
  return isSoon ? 2000 : 15_000;
}
