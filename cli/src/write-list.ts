import type { List } from "./api.ts";
import { writeJson, writeNote, writeTable, type Column } from "./output.ts";

/** Writes a list as a table or as JSON, and says if there is more. */
export function writeList<Row>({ rows, isCut }: List<Row>, json: boolean, columns: Column<Row>[]): void {
  if (json) writeJson(rows);
  else writeTable(rows, columns);
  if (isCut) writeNote(`There are more than these ${rows.length}. See them with --limit.`);
}
