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

/** Outcomes of messages arrive long after the last one has gone out. */
export const settledPollMs = 15_000;
