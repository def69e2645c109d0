import type { CsvRow } from "../read-csv.ts";
import type { ImportedReport, LeftOut, Source } from "../item.ts";
import { dismissalOf, personNamed, readPosts, voicesOf } from "./feedback-csv.ts";

/** Canny's posts, from the CSV file of the admin's export. Some columns have other names in older exports. */
export const canny: Source = (input) => readPosts(input, { program: "Canny", columns: ["status"] }, toReport);

const COLUMNS = {
  url: ["url", "post url", "link"],
  board: ["board", "board name"],
  title: ["title", "post title"],
  description: ["details", "description", "post details"],
  votes: ["votes", "vote count", "score"],
  author: ["author name", "author"],
  email: ["author email", "email"],
  created: ["created", "created at", "date created", "post created"],
  changed: ["status changed at", "status changed", "last status change"],
} as const;

function toReport(row: CsvRow): ImportedReport | LeftOut {
  const get = (field: keyof typeof COLUMNS) =>
    COLUMNS[field].map((column) => row.get(column)).find((cell) => cell !== "") ?? "";
  const [url, title, board] = [get("url"), get("title"), get("board")];
  const where = `line ${row.line}`;
  if (title === "") return { item: "left_out", where, reason: "It has no title." };
  return {
    item: "report",
    ref: { id: url || JSON.stringify([board, title]), url: url || null },
    where,
    author: personNamed(get("author"), get("email")),
    created_at: get("created") || null,
    updated_at: get("changed") || null,
    comments: [],
    title,
    description: get("description") || null,
    voices: voicesOf(get("votes")),
    dismissal: dismissalOf(row.get("status"), { at: get("changed") || null }),
  };
}
