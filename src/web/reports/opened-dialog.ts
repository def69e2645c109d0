import type { Report } from "../../shared/reports.ts";

/** A dialog about reports, and the reports it is about. */
export type OpenedDialog =
  | { kind: "promote"; reports: readonly Report[]; continued?: boolean }
  | { kind: "dismiss"; reports: readonly Report[] }
  | { kind: "duplicate"; reports: readonly Report[] }
  | { kind: "delete"; report: Report }
  | { kind: "status-link"; report: Report }
  | { kind: "erase-author"; report: Report };
