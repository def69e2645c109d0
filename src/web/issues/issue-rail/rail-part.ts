import type { Issue } from "../../../shared/issues.ts";
import type { Project } from "../../../shared/projects.ts";
import type { IssueChanges } from "../../data/issues/issue-changes.ts";

/** What the parts of the rail show and change. */
export type RailPart = {
  project: Project;
  issue: Issue;
  editable: boolean;
  set: (changes: IssueChanges) => void;
};
