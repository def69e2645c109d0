import { invalid } from "./errors.ts";

/** 422 on `ends_on` if it is before `starts_on`. Both are dates such as `2026-11-20`. */
export function requireOrder(days: { starts_on: string | null; ends_on: string | null }) {
  if (days.starts_on !== null && days.ends_on !== null && days.ends_on < days.starts_on)
    throw invalid({ ends_on: ["must not be before starts_on"] });
}
