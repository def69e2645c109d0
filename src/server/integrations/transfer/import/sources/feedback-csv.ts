import { readCsv, type CsvRow } from "../read-csv.ts";
import {
  ImportError,
  type ImportedPerson,
  type ImportedReport,
  type ImportInput,
  type ImportNote,
  type LeftOut,
} from "../item.ts";

/** Reads the posts of a feedback portal from its CSV export. `columns` are those without which it is another file. */
export async function* readPosts(
  input: ImportInput,
  { program, columns: needed }: { program: string; columns: string[] },
  toReport: (row: CsvRow) => ImportedReport | LeftOut,
): AsyncGenerator<ImportedReport | LeftOut | ImportNote> {
  if (!("path" in input)) throw new ImportError(`Give the CSV file that ${program} exports.`);
  const { columns, rows } = await readCsv(input.path);
  const missing = needed.find((name) => !columns.some((column) => column.toLowerCase() === name));
  if (missing !== undefined)
    throw new ImportError(
      `This is not a CSV export of ${program}: it has no column ${missing}, but ${columns.join(", ")}.`,
    );
  for await (const row of rows) yield "item" in row ? row : toReport(row);
}

const REASONS: [RegExp, NonNullable<ImportedReport["dismissal"]>["reason"]][] = [
  [/^(?:declined|rejected|closed|not planned|won'?t (?:do|fix))$/i, "not-planned"],
  [/^(?:completed?|done|shipped|released|live)$/i, "already-shipped"],
  [/^(?:duplicate|merged)$/i, "duplicate"],
];

/** Posts with any other status are still to be decided. */
export function dismissalOf(
  status: string,
  { note = null, at = null }: { note?: string | null; at?: string | null } = {},
): ImportedReport["dismissal"] {
  const reason = REASONS.find(([names]) => names.test(status.trim()))?.[1];
  return reason === undefined ? null : { reason, note, at };
}

export const personNamed = (name: string, email = ""): ImportedPerson | null =>
  name === "" && email === "" ? null : { name: name || null, login: null, email: email || null };

/** Whole numbers; one voice if the cell is something else. */
export const voicesOf = (cell: string): number => (/^\d{1,9}$/.test(cell) ? Math.max(1, Number(cell)) : 1);
