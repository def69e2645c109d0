import { sql, type RawBuilder } from "kysely";
import { z } from "zod";
import { ISSUE_SORTS, type Issue, type IssueSort } from "../../../shared/issues.ts";
import { date } from "../../../shared/text.ts";
import { invalid } from "../../answers/errors.ts";

export type Sort = { by: IssueSort; descending: boolean };

const content = z.tuple([
  z.enum(ISSUE_SORTS),
  z.boolean(),
  z.union([z.string(), z.int()]),
  z.int().positive(),
]);

/** The sort order and the last issue's position in it. Clients treat it as opaque. */
export function writeCursor(sort: Sort, last: Pick<Issue, IssueSort | "id">): string {
  const value = last[sort.by] ?? (sort.descending ? "-infinity" : "infinity");
  const position: z.output<typeof content> = [sort.by, sort.descending, value, last.id];
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

/** The position as SQL; 422 if the text is not a cursor of this sort order. */
export function readCursor(sort: Sort, cursor: string): { value: RawBuilder<unknown>; id: number } {
  const read = content.safeParse(parse(cursor));
  const [by, descending, value, id] = read.data ?? [];
  const column = COLUMNS[sort.by];
  if (by !== sort.by || descending !== sort.descending || id === undefined || !column.test(String(value)))
    throw invalid({ cursor: ["is not a cursor of this list"] });
  return { value: sql`${String(value)}::${sql.raw(column.type)}`, id };
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    return undefined;
  }
}

/** Compares the parsed time with the text, because JavaScript reads February 30 as a day in March. */
export function isTime(value: string): boolean {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(value) || value.startsWith("0000")) return false;
  const time = Date.parse(value);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value.slice(0, 19));
}

const COLUMNS: Record<IssueSort, { type: string; test: (value: string) => boolean }> = {
  created_at: { type: "timestamptz", test: isTime },
  updated_at: { type: "timestamptz", test: isTime },
  priority: { type: "smallint", test: (value) => /^\d$/.test(value) },
  due_on: { type: "date", test: (value) => /^-?infinity$/.test(value) || date.safeParse(value).success },
  rank: { type: `text collate "C"`, test: (value) => /^[0-9A-Za-z]+$/.test(value) },
};
