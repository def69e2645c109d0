import { dayOf, personOf } from "./csv.ts";
import { readLinearApi } from "./linear-api.ts";
import { ImportError, type ImportedIssue, type ImportedLaneKind, type Source } from "../item.ts";
import { parseTime } from "../parse-time.ts";
import { readCsv, type CsvRow } from "../read-csv.ts";
import { laneKindOf } from "../words.ts";

/** Issues of Linear: the CSV file that it exports, or its API. `--from` names the key of one team. */
export const linear: Source = (input, options) =>
  "path" in input ? readFile(input.path, options.from) : readLinearApi(input.url, input.token, options);

async function* readFile(path: string, team: string | null): ReturnType<Source> {
  const { columns, rows } = await readCsv(path);
  if (!columns.includes("ID") || !columns.includes("Title"))
    throw new ImportError(`This is not a CSV export of Linear: it has the columns ${columns.join(", ")}.`);
  for await (const row of rows) {
    if ("item" in row) yield row;
    else if (team === null || row.get("ID").toUpperCase().startsWith(`${team.toUpperCase()}-`))
      yield toIssue(row);
  }
}

function toIssue(row: CsvRow): ImportedIssue {
  const get = (column: string) => unquoted(row.get(column));
  const text = (column: string) => get(column) || null;
  const id = get("ID");
  const status = get("Status");
  const closed = text("Completed") ?? text("Canceled");
  const cycle = get("Cycle Number");
  return {
    item: "issue",
    ref: { id: get("UUID") || id, url: null },
    where: id === "" ? `line ${row.line}` : id,
    title: get("Title"),
    description: text("Description"),
    priority: LINEAR_PRIORITIES[get("Priority").toLowerCase()] ?? 2,
    lane: status === "" ? null : { name: status, kind: laneKindOf(status) ?? kindByTimes(row) },
    labels: get("Labels").split(","),
    sprint: text("Cycle Name") ?? (cycle === "" ? null : `Cycle ${cycle}`),
    epic: text("Project"),
    author: personOf(get("Creator")),
    assignee: personOf(get("Assignee")),
    due_on: dayOf(get("Due Date")),
    created_at: timeOf(get("Created")),
    updated_at: timeOf(get("Updated")),
    closed_at: closed && timeOf(closed),
    comments: [],
  };
}

/** Linear puts an apostrophe before cells that a spreadsheet would read as formulas. */
const unquoted = (cell: string) => cell.replace(/^'(?=[=+\-@|\t\r])/, "");

/** Linear's own names, from Urgent to Low. Without a priority it is medium. */
const LINEAR_PRIORITIES: Readonly<Record<string, 0 | 1 | 2 | 3>> = {
  urgent: 0,
  high: 1,
  medium: 2,
  low: 3,
};

/** For a status with a name of the team's own. */
function kindByTimes(row: CsvRow): ImportedLaneKind {
  if (row.get("Completed") !== "" || row.get("Canceled") !== "") return "done";
  return row.get("Started") === "" ? "todo" : "doing";
}

/** As JavaScript writes a time: `Wed May 13 2026 11:21:41 GMT+0000 (GMT+00:00)`. */
function timeOf(cell: string): string | null {
  const time = parseTime(cell);
  return Number.isNaN(time) ? cell || null : new Date(time).toISOString();
}
