import { hash } from "node:crypto";
import { CSV_FIELDS, type CsvField } from "../../../../../shared/import-kinds.ts";
import { parseTime } from "../parse-time.ts";
import { readCsv, type CsvRow } from "../read-csv.ts";
import { ImportError, type ImportedIssue, type ImportedPerson, type Source } from "../item.ts";
import { laneOfStatus, priorityOf } from "../words.ts";

/** Our fields, each with the names of columns that are used unless `--map` says otherwise. */
const FIELDS = {
  id: ["id", "key", "issue id", "issue key"],
  title: ["title", "summary", "name", "subject"],
  description: ["description", "body", "details", "content"],
  status: ["status", "state", "lane", "column"],
  priority: ["priority"],
  type: ["type", "issue type", "kind"],
  labels: ["labels", "tags", "label"],
  author: ["author", "reporter", "creator", "created by"],
  assignee: ["assignee", "assigned to", "owner"],
  sprint: ["sprint", "iteration", "milestone", "cycle"],
  epic: ["epic"],
  estimated_minutes: ["estimated_minutes", "estimate (minutes)"],
  due_on: ["due_on", "due date", "due"],
  created_at: ["created_at", "created", "created at"],
  updated_at: ["updated_at", "updated", "updated at"],
  closed_at: ["closed_at", "closed", "closed at", "resolved", "completed"],
  url: ["url", "link"],
} as const satisfies Record<CsvField, readonly string[]>;

/** The column for each field. Throws `ImportError` if a field or column does not exist, or if no column has the titles. */
export function mapColumns(
  columns: string[],
  map: Record<string, string>,
): Partial<Record<CsvField, string>> {
  for (const [field, column] of Object.entries(map)) {
    if (!Object.hasOwn(FIELDS, field))
      throw new ImportError(`There is no field ${field}. The fields are ${CSV_FIELDS.join(", ")}.`);
    if (column !== "" && !columns.some((name) => isSame(name, column)))
      throw new ImportError(`The file has no column ${column}. Its columns are ${columns.join(", ")}.`);
  }
  const mapped = CSV_FIELDS.flatMap((field) => {
    const usual: readonly string[] = FIELDS[field];
    const column = map[field] ?? columns.find((name) => usual.includes(name.toLowerCase()));
    return column ? [[field, column] as const] : [];
  });
  const fields: Partial<Record<CsvField, string>> = Object.fromEntries(mapped);
  if (fields.title === undefined)
    throw new ImportError(
      `Name the column with the titles: --map title=COLUMN. The columns are ${columns.join(", ")}.`,
    );
  return fields;
}

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** Any CSV file with a header. */
export const csv: Source = async function* readIssues(input, { map }) {
  if (!("path" in input)) throw new ImportError("Give a CSV file.");
  const { columns, rows } = await readCsv(input.path);
  const fields = mapColumns(columns, map);
  const unmapped = columns.filter((name) => !Object.values(fields).some((column) => isSame(column, name)));
  if (unmapped.length > 0)
    yield { item: "note", where: "header", text: `These columns are not imported: ${unmapped.join(", ")}.` };
  for await (const row of rows) yield "item" in row ? row : toIssue(row, fields);
};

function toIssue(row: CsvRow, fields: Partial<Record<CsvField, string>>): ImportedIssue {
  const get = (field: CsvField) => (fields[field] === undefined ? "" : row.get(fields[field]));
  const text = (field: CsvField) => get(field) || null;
  const status = get("status");
  const labels = fields.labels === undefined ? [] : row.getAll(fields.labels);
  const priority = priorityOf(get("priority"));
  const minutes = get("estimated_minutes");
  return {
    item: "issue",
    ref: {
      id: get("id") || `row ${hash("sha256", JSON.stringify(row.cells)).slice(0, 32)}`,
      url: text("url"),
    },
    where: `line ${row.line}`,
    title: get("title"),
    description: text("description"),
    type: /\bbug\b|defect/i.test(get("type")) ? 1 : 0,
    ...(priority === null ? {} : { priority }),
    lane: status === "" ? null : laneOfStatus(status),
    labels: labels.flatMap((cell) => cell.split(/[,;]/)),
    sprint: text("sprint"),
    epic: text("epic"),
    author: personOf(get("author")),
    assignee: personOf(get("assignee")),
    estimated_minutes: /^\d+$/.test(minutes) ? Number(minutes) : null,
    due_on: dayOf(get("due_on")),
    created_at: text("created_at"),
    updated_at: text("updated_at"),
    closed_at: text("closed_at"),
    comments: [],
  };
}

const MAX_PERSON = 500;

/** An address, `Name <address>`, or a name. */
export function personOf(cell: string): ImportedPerson | null {
  const text = cell.slice(0, MAX_PERSON);
  if (text === "") return null;
  const [, name, email] = /^(.*?)\s*<([^<>\s]+@[^<>\s]+)>$/.exec(text) ?? [];
  if (email !== undefined) return { name: name || null, login: null, email };
  return /^[^\s@]+@[^\s@]+$/.test(text)
    ? { name: null, login: null, email: text }
    : { name: text, login: text, email: null };
}

export function dayOf(text: string): string | null {
  const time = parseTime(text);
  if (/^\d{4}-\d\d-\d\d/.test(text)) return text.slice(0, 10);
  return Number.isNaN(time) ? null : new Date(time).toISOString().slice(0, 10);
}
