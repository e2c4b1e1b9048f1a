// Rows of a screen as the lines that were printed. Pure.

/** Every row, and every line that fills its rows to the edge as a whole: where one was wrapped is not told. */
export function linesOfRows(rows: readonly string[], cols: number): string[] {
  const wrapped: string[] = [];
  let line = "";
  let rowCount = 0;
  for (const row of rows) {
    line += row;
    rowCount += 1;
    if (row.length >= cols) continue;
    if (rowCount > 1) wrapped.push(line);
    line = "";
    rowCount = 0;
  }
  if (rowCount > 1) wrapped.push(line);
  return [...rows, ...wrapped];
}
