import { sql, type RawBuilder } from "kysely";
import { z } from "zod";
import { REPORT_SORTS, type Report, type ReportSort } from "../../shared/reports.ts";
import { invalid } from "../answers/errors.ts";
import { isTime } from "../work/issues/cursor.ts";

export type Order = { sort: ReportSort; descending: boolean };

const content = z.tuple([
  z.enum(REPORT_SORTS),
  z.boolean(),
  z.union([z.string(), z.int()]),
  z.string().regex(/^[0-9A-Za-z]+$/),
  z.int().positive(),
]);

const VALUES = {
  rank: z.string(),
  voices: z.int().positive().max(2_147_483_647),
  created_at: z.string().refine(isTime),
};

/** The order of the list and the last report's position in it. Clients treat it as opaque. */
export function writeCursor({ sort, descending }: Order, last: Report): string {
  const position: z.output<typeof content> = [sort, descending, last[sort], last.rank, last.id];
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

type Position = { value: RawBuilder<unknown>; rank: string; id: number };

/** 422 if the text is not a cursor of a list in this order. */
export function readCursor(order: Order, cursor: string): Position {
  const { data } = content.safeParse(parse(cursor));
  if (data) {
    const [sort, descending, value, rank, id] = data;
    const isSame = sort === order.sort && descending === order.descending;
    if (isSame && VALUES[sort].safeParse(value).success)
      return { value: sort === "voices" ? sql`${value}::int` : sql`${value}::timestamptz`, rank, id };
  }
  throw invalid({ cursor: ["is not a cursor of this list"] });
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    return undefined;
  }
}
