import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { parse, type CsvError } from "csv-parse";
import { ImportError, type LeftOut } from "./item.ts";

/** A row of a file: its cells by the names of their columns, which can be repeated. */
export type CsvRow = {
  line: number;
  /** The first cell of the column that is not empty, trimmed; `""` if there is none. */
  get(column: string): string;
  /** All cells of the column that are not empty. */
  getAll(column: string): string[];
  cells: string[];
};

type CsvFile = { columns: string[]; rows: AsyncIterable<CsvRow | LeftOut> };

/** Characters. A longer row is probably the rest of a file after a quotation mark that is never closed. */
const MAX_ROW = 16 * 1024 * 1024;

/**
 * Reads a CSV file row by row. Detects the separator (comma, semicolon, tab or bar) and a byte order mark; UTF-16 needs one. Rows
 * may be shorter than the header. Rows that are not CSV are left out, and so is the rest after a quotation mark that is not closed. Throws `ImportError` if the file is empty.
 */
export async function readCsv(path: string): Promise<CsvFile> {
  const { encoding, start } = await readStart(path);
  const broken: CsvError[] = [];
  const parser = parse({
    bom: true,
    delimiter: separatorOf(start),
    info: true,
    relax_column_count: true,
    // A quotation mark within a cell is text, as most programs write it. Without this, the parser loses the rows that follow.
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: MAX_ROW,
    on_skip: (error) => {
      if (error) broken.push(error);
    },
  });
  const stream = createReadStream(path, { encoding, highWaterMark: 64 * 1024 });
  stream.on("error", (error) => parser.destroy(error));
  stream.pipe(parser);
  const records = parser[Symbol.asyncIterator]() as AsyncIterator<Record>;
  const header = await records.next();
  if (header.done === true) throw new ImportError("The file is empty.");
  const columns = header.value.record.map((name) => name.trim());
  if (columns.length > MAX_COLUMNS)
    throw new ImportError(`The file has more than ${MAX_COLUMNS.toLocaleString("en")} columns.`);
  return { columns, rows: readRows(records, { columns, line: header.value.info.lines }, broken) };
}

const MAX_COLUMNS = 10_000;

type Record = { record: string[]; info: { lines: number } };

async function* readRows(
  records: AsyncIterator<Record>,
  header: { columns: string[]; line: number },
  broken: CsvError[],
): AsyncGenerator<CsvRow | LeftOut> {
  const places = new Map<string, number[]>();
  for (const [place, name] of header.columns.entries())
    places.set(name.toLowerCase(), [...(places.get(name.toLowerCase()) ?? []), place]);
  let last = header.line;
  for (;;) {
    const next = await records.next();
    yield* broken.splice(0).map((error) => leftOut(last + 1, error));
    if (next.done === true) return;
    const { record: cells, info } = next.value;
    const getAll = (column: string) =>
      (places.get(column.toLowerCase()) ?? []).flatMap((place) => cells[place]?.trim() || []);
    // Blank lines before the row are not counted.
    yield {
      line: info.lines - countLineEnds(cells),
      cells,
      getAll,
      get: (column) => getAll(column)[0] ?? "",
    };
    last = info.lines;
  }
}

const countLineEnds = (cells: string[]) => cells.reduce((sum, cell) => sum + cell.split("\n").length - 1, 0);

const leftOut = (line: number, { code, message }: CsvError): LeftOut => ({
  item: "left_out",
  where: `line ${line}`,
  reason:
    code === "CSV_QUOTE_NOT_CLOSED"
      ? "A quotation mark after this line is never closed, so the rest of the file is not read."
      : `The row is not valid CSV: ${message}.`,
});

const START_BYTES = 64 * 1024;

async function readStart(path: string): Promise<{ encoding: "utf8" | "utf16le"; start: string }> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0);
    const encoding = buffer[0] === 0xff && buffer[1] === 0xfe ? "utf16le" : "utf8";
    return { encoding, start: buffer.toString(encoding, 0, bytesRead) };
  } finally {
    await file.close();
  }
}

const SEPARATORS = [",", ";", "\t", "|"] as const;

/** The separator that is most frequent in the first line, outside quotation marks. */
function separatorOf(start: string): string {
  const header = start.replaceAll(/"(?:[^"]|"")*"/g, "").split(/\r?\n/, 1)[0] ?? "";
  const count = (separator: string) => header.split(separator).length;
  return SEPARATORS.reduce((best, separator) => (count(separator) > count(best) ? separator : best));
}
