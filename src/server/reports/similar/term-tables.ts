import type { SimilarKind } from "../../../shared/similar.ts";

/** Where the terms of each kind of item are, and the column with the item's id. */
export const TERM_TABLES: Record<SimilarKind, { name: string; id: string }> = {
  report: { name: "report_terms", id: "report_id" },
  issue: { name: "issue_terms", id: "issue_id" },
  error_group: { name: "error_group_terms", id: "group_id" },
};

/** The numbers in an array as PostgreSQL writes it. Its driver takes several times as long. */
export const numbersIn = (array: string): number[] => JSON.parse(`[${array.slice(1, -1)}]`) as number[];
