import type { GitHost } from "../../../shared/git.ts";
import type { ProjectRef } from "../../work/issues/references.ts";

/** Where a delivery comes from. The project is locked while it is processed. */
export type Source = {
  project: ProjectRef;
  host: GitHost;
  on_open: "doing" | null;
  received_at: string;
};
