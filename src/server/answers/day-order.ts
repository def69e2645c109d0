import { invalid } from "./errors.ts";

/** 422 on `ends_on` when it lies before `starts_on`; both written `2026-11-20`. */
export function requireOrder(days: { starts_on: string | null; ends_on: string | null }) {
  if (days.starts_on !== null && days.ends_on !== null && days.ends_on < days.starts_on)
    throw invalid({ ends_on: ["must not be before starts_on"] });
}
