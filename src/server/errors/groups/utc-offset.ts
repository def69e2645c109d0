import type { ErrorGroupListItem } from "../../../shared/error-groups.ts";

type Times = Pick<
  ErrorGroupListItem,
  | "first_seen_at"
  | "last_seen_at"
  | "created_at"
  | "updated_at"
  | "resolved_at"
  | "regressed_at"
  | "verified_at"
>;

/** In the API, times of error groups end in +00:00, whereas all other times end in Z. */
export function withUtcOffsets<Row extends Times>(row: Row): Row {
  return {
    ...row,
    resolved_at: row.resolved_at && withUtcOffset(row.resolved_at),
    regressed_at: row.regressed_at && withUtcOffset(row.regressed_at),
    verified_at: row.verified_at && withUtcOffset(row.verified_at),
    first_seen_at: withUtcOffset(row.first_seen_at),
    last_seen_at: withUtcOffset(row.last_seen_at),
    created_at: withUtcOffset(row.created_at),
    updated_at: withUtcOffset(row.updated_at),
  };
}

export function withUtcOffset(timestamp: string): string {
  return `${timestamp.slice(0, -1)}+00:00`;
}
