import { formulaStart } from '#contracts/formula-guard.ts';
import type { BulkSendState } from './run/bulk-send.ts';

/** The rows of the file with what has become of each, for spreadsheets: no cell is run as a formula. */
export async function resultCsv({ upload, outcomes }: BulkSendState): Promise<string> {
  const { default: Papa } = await import('papaparse');
  const rows = (upload?.contacts ?? []).map((contact, index) => {
    const outcome = outcomes.get(index);
    const { row, country_code, phone, name, shop, to, problem } = contact;
    const status = problem === undefined ? (outcome?.status ?? 'not sent') : 'invalid';
    const error = problem === undefined ? (outcome?.status === 'failed' ? outcome.error : '') : 'Invalid number';
    return { row, country_code, phone, name, shop, number: to, status, error };
  });
  // With its byte order mark, spreadsheets read the file as UTF-8.
  return `\uFEFF${Papa.unparse(rows, { escapeFormulae: formulaStart })}`;
}
