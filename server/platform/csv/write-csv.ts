/** What a spreadsheet would take for a formula (OWASP, "CSV Injection"), also where it is guarded already. */
const formulaStart = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** One cell, which no spreadsheet runs: such a cell begins with an apostrophe. */
function csvCell(text: string): string {
  const safe = formulaStart.test(text) ? `'${text}` : text;
  return /[",\r\n;]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One record as RFC 4180 writes it. */
export function csvRecord(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** A cell that `csvRecord` made safe, as it was. */
export function withoutFormulaGuard(cell: string): string {
  return cell.startsWith("'") && formulaStart.test(cell) ? cell.slice(1) : cell;
}
