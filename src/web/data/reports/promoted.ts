import type { ErrorGroup } from "../../../shared/error-groups.ts";

/** What was promoted, and to which issue. */
export type Promoted = {
  /** The error that was promoted, if it was one. */
  group?: Pick<ErrorGroup, "id" | "exception_class"> | undefined;
  reportIds: readonly number[];
  /** Errors that were linked to the issue, besides `group`. */
  errorIds: readonly number[];
  /** null if the issue was deleted meanwhile. */
  issueId: number | null;
  /** Whether the promotion created the issue. */
  isNew: boolean;
};
