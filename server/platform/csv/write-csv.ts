/**
 * Beginnings that a spreadsheet would take for a formula (OWASP, "CSV Injection"), also where the cell is guarded
 * already.
 */
const formulaStart = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** A cell that a spreadsheet would run as a formula gets an apostrophe in front. */
function csvCell(text: string): string {
  const safe = formulaStart.test(text) ? `'${text}` : text;
  return /[",\r\n;]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Writes a record as RFC 4180 has it. */
export function csvRecord(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** A cell that `csvRecord` made safe, as it was. */
export function withoutFormulaGuard(cell: string): string {
  return cell.startsWith("'") && formulaStart.test(cell) ? cell.slice(1) : cell;
}
