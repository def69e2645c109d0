import type { Answer, Client } from "../support/client.ts";
import type { Fixture } from "./fixture.ts";
import type { Scope } from "./principals.ts";

/** A request with an id in its body or query. */
export type ForeignIdCase = {
  status: number;
  /** The name of the id in the fixture. */
  id: string;
  send: (client: Client, id: number) => Promise<Answer>;
  /** The scopes whose ids must be rejected. Project B is in the same workspace as A, so workspace ids of B are valid. */
  of?: readonly Scope[];
  /** Whether an administrator, who can access B, also sends the request. `not` for requests across all projects. */
  administrator?: "also" | "only" | "not";
};

export type ForeignIdCases = Record<string, ForeignIdCase>;

/** Project A, to which the requests belong: its path, and its ids by their names in the fixture. */
export type OwnProject = { path: string; own: (name: string) => number; fixture: Fixture };

export const title = "An issue";

/** The fields of an issue that contain ids. */
export const issueFields = (
  own: OwnProject["own"],
): Record<string, [id: string, value: (id: number) => unknown]> => ({
  lane_id: ["laneId", (id) => id],
  assignee_id: ["userId", (id) => id],
  sprint_id: ["sprintId", (id) => id],
  epic_id: ["epicId", (id) => id],
  label_ids: ["labelId", (id) => [id]],
  "label_ids with one of the project": ["labelId", (id) => [own("labelId"), id]],
  blocked_by_ids: ["issueId", (id) => [id]],
  blocks_ids: ["issueId", (id) => [id]],
  relates_to_ids: ["issueId", (id) => [id]],
  parent_id: ["issueId", (id) => id],
  duplicate_of_id: ["issueId", (id) => id],
});

export const ISSUE_FILTERS: Record<string, string> = {
  ids: "issueId",
  lane_id: "laneId",
  assignee_id: "userId",
  sprint_id: "sprintId",
  epic_id: "epicId",
  label_id: "labelId",
  project_id: "projectId",
};
