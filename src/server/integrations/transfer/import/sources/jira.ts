import { hash } from "node:crypto";
import { personOf } from "./csv.ts";
import { jiraToMarkdown } from "./jira-markup.ts";
import {
  ImportError,
  type ImportedComment,
  type ImportedIssue,
  type ImportedLaneKind,
  type Source,
} from "../item.ts";
import { parseTime } from "../parse-time.ts";
import { readCsv, type CsvRow } from "../read-csv.ts";
import { laneKindOf, priorityOf } from "../words.ts";

/** Issues of Jira: its export "CSV (all fields)", in which a column is repeated for each further value. */
export const jira: Source = async function* readIssues(input) {
  if (!("path" in input)) throw new ImportError("Give the file that Jira exports as CSV with all fields.");
  const { columns, rows } = await readCsv(input.path);
  for (const column of ["Summary", "Issue id"])
    if (!columns.includes(column))
      throw new ImportError(
        `This is not a CSV export of Jira: it has no column ${column}, but ${columns.join(", ")}.`,
      );
  for await (const row of rows) yield "item" in row ? row : toIssue(row);
};

function toIssue(row: CsvRow): ImportedIssue {
  const text = (column: string) => row.get(column) || null;
  const key = row.get("Issue key");
  const status = row.get("Status");
  const priority = priorityOf(row.get("Priority"));
  const seconds = row.get("Original estimate") || row.get("Original Estimate");
  return {
    item: "issue",
    ref: { id: row.get("Issue id") || key, url: null },
    where: key || `line ${row.line}`,
    title: row.get("Summary"),
    description: text("Description") && jiraToMarkdown(row.get("Description")),
    type: row.get("Issue Type").toLowerCase() === "bug" ? 1 : 0,
    ...(priority === null ? {} : { priority }),
    lane:
      status === "" ? null : { name: status, kind: kindOf(row.get("Status Category")) ?? laneKindOf(status) },
    labels: row.getAll("Labels"),
    sprint: row.getAll("Sprint").at(-1) ?? null,
    // The parent of a sub-task is another issue.
    epic: /^sub-?task$/i.test(row.get("Issue Type")) ? null : text("Parent summary"),
    author: personOf(row.get("Reporter") || row.get("Creator")),
    assignee: personOf(row.get("Assignee")),
    estimated_minutes: /^\d+$/.test(seconds) ? Math.round(Number(seconds) / 60) : null,
    due_on: timeOf(row.get("Due date") || row.get("Due Date"))?.slice(0, 10) ?? null,
    created_at: timeOf(row.get("Created")),
    updated_at: timeOf(row.get("Updated")),
    closed_at: timeOf(row.get("Resolved")),
    comments: row.getAll("Comment").map(toComment),
  };
}

const CATEGORIES: Readonly<Record<string, ImportedLaneKind>> = {
  "to do": "todo",
  new: "todo",
  "in progress": "doing",
  indeterminate: "doing",
  done: "done",
};

const kindOf = (category: string): ImportedLaneKind | null => CATEGORIES[category.toLowerCase()] ?? null;

/** `05/Sep/26 11:00 AM;5b10ac2d82e05b22cc7d4ef5;The text; which may contain semicolons`. The author is an account id or a name. */
function toComment(cell: string, n: number): ImportedComment {
  const [, time = "", author = "", text = cell] =
    /^([^;\n]{1,40});([^;\n]{0,200});([\s\S]*)$/.exec(cell) ?? [];
  return {
    // Jira's export does not tell the ids of comments.
    ref: { id: time === "" ? `comment ${n}` : `${time};${author};${hashOf(text)}` },
    author: personOf(author),
    content: jiraToMarkdown(text),
    created_at: timeOf(time),
  };
}

const hashOf = (text: string): string => hash("sha256", text).slice(0, 16);

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** `03/Sep/26 9:05 AM`, as Jira writes times by default, or ISO 8601. The export does not tell the time zone, so this takes UTC. */
function timeOf(cell: string): string | null {
  const [, day, monthName = "", year = "", hours = "0", minutes = "00", half] =
    /^(\d{1,2})\/(\w{3})\/(\d{2}|\d{4})(?: (\d{1,2}):(\d\d)(?: ?([AP]M))?)?/i.exec(cell) ?? [];
  const month = MONTHS.indexOf(monthName.toLowerCase());
  if (month !== -1) {
    const hour = (Number(hours) % (half === undefined ? 24 : 12)) + (/^p/i.test(half ?? "") ? 12 : 0);
    const fullYear = year.length === 2 ? 2_000 + Number(year) : Number(year);
    return new Date(Date.UTC(fullYear, month, Number(day), hour, Number(minutes))).toISOString();
  }
  const time = parseTime(cell);
  return Number.isNaN(time) ? cell || null : new Date(time).toISOString();
}
