import type { SearchKind } from "../../shared/search.ts";

/** A match, with the columns that ranking needs. */
export type Candidate = {
  kind: SearchKind;
  id: number;
  key: string | null;
  /** Null for a comment, which has no title of its own. */
  title: string | null;
  /** When it was created; for an error group, when it was last seen. */
  at: string;
};
