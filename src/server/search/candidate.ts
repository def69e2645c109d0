import type { SearchKind } from "../../shared/search.ts";

/** Something that was found, as narrow as ranking needs it. */
export type Candidate = {
  kind: SearchKind;
  id: number;
  key: string | null;
  /** null for a comment, whose title is not its own. */
  title: string | null;
  /** When it was made; of an error group, when it was last seen. */
  at: string;
};
