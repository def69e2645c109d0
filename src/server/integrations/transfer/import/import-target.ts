import type { ImportKind } from "../../../../shared/import-kinds.ts";
import type { ProjectRef } from "../../../work/issues/references.ts";
import type { People } from "./people.ts";

/** Where an import goes, and what it needs to know there. */
export type ImportTarget = {
  project: ProjectRef;
  kind: ImportKind;
  people: People;
  /** The author of comments by people without an account. */
  fallbackAuthorId: number;
  /** Error groups that were last seen before are left out. */
  retentionDays: number;
};
