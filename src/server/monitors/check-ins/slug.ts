import { MAX_SLUG } from "../../../shared/monitors.ts";

/** The slug for a name or a slug of another system: other characters become `-`. It may be empty. */
export const toSlug = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]/g, "-")
    .slice(0, MAX_SLUG);
