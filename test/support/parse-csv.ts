/** The rows of a CSV file in which every cell is quoted, by the names in its first row. */
export function parseCsv(text: string): Record<string, string>[] {
  const [head = [], ...rows] = text
    .split(/\r\n(?=(?:[^"]*"[^"]*")*[^"]*$)/)
    .filter((line) => line !== "")
    .map((line) =>
      Array.from(line.matchAll(/"((?:[^"]|"")*)"(?:,|$)/g), ([, cell = ""]) => cell.replaceAll('""', '"')),
    );
  return rows.map((cells) => Object.fromEntries(head.map((name, n) => [name, cells[n] ?? ""])));
}
