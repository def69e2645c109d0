import type { CsvRow } from "../read-csv.ts";
import type { ImportedReport, Source } from "../item.ts";
import { dismissalOf, personNamed, readPosts, voicesOf } from "./feedback-csv.ts";

/** Quackback's posts, from the CSV file of a board's export. */
export const quackback: Source = (input) =>
  readPosts(input, { program: "Quackback", columns: ["title", "content", "board", "vote_count"] }, toReport);

/** A board's export has no id, so the id that the workspace's export has is not used either. */
function toReport(row: CsvRow): ImportedReport {
  const created_at = row.get("created_at") || null;
  return {
    item: "report",
    ref: { id: JSON.stringify([row.get("board"), row.get("title"), created_at]), url: null },
    where: `line ${row.line}`,
    author: personNamed(row.get("author_name"), row.get("author_email")),
    created_at,
    updated_at: null,
    comments: [],
    title: row.get("title"),
    description: row.get("content") || null,
    voices: voicesOf(row.get("vote_count")),
    dismissal: dismissalOf(row.get("status")),
  };
}
