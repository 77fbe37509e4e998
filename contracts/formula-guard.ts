/**
 * Beginnings that a spreadsheet would take for a formula (OWASP, "CSV Injection"), also where the cell is guarded
 * already. Such a cell is written with an apostrophe in front.
 */
export const formulaStart = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** A cell of a file that we wrote, as it was. */
export function withoutFormulaGuard(cell: string): string {
  return cell.startsWith("'") && formulaStart.test(cell) ? cell.slice(1) : cell;
}
