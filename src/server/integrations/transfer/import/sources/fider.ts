import type { CsvRow } from "../read-csv.ts";
import type { ImportedReport, LeftOut, Source } from "../item.ts";
import { dismissalOf, personNamed, readPosts, voicesOf } from "./feedback-csv.ts";

/** Fider's posts, from the CSV file of *Site settings → Export*. */
export const fider: Source = (input) =>
  readPosts(input, { program: "Fider", columns: ["number", "title", "status"] }, toReport);

function toReport(row: CsvRow): ImportedReport | LeftOut {
  const number = row.get("number");
  const where = number === "" ? `line ${row.line}` : `post ${number}`;
  if (!/^\d{1,12}$/.test(number)) return { item: "left_out", where, reason: "It has no number." };
  if (row.get("status").toLowerCase() === "deleted")
    return { item: "left_out", where, reason: "It was deleted in Fider." };
  const respondedAt = row.get("responded_at") || null;
  const response = row.get("response");
  const dismissal = dismissalOf(row.get("status"), { note: noteOf(row), at: respondedAt });
  return {
    item: "report",
    ref: { id: number, url: null },
    where,
    author: personNamed(row.get("created_by")),
    created_at: row.get("created_at") || null,
    updated_at: respondedAt,
    title: row.get("title"),
    description: row.get("description") || null,
    voices: voicesOf(row.get("votes_count")),
    dismissal,
    // The response to a post that is not closed says what is planned, so it is kept as a comment.
    comments:
      dismissal !== null || response === ""
        ? []
        : [
            {
              ref: { id: "response" },
              author: personNamed(row.get("responded_by")),
              content: response,
              created_at: respondedAt,
            },
          ],
  };
}

/** The response, and for a duplicate the post that it repeats. */
function noteOf(row: CsvRow): string | null {
  const original = row.get("original_number");
  const lines = [
    row.get("response"),
    original === "" ? "" : `Duplicate of post ${original}: ${row.get("original_title")}`,
  ];
  return lines.filter((line) => line !== "").join("\n\n") || null;
}
