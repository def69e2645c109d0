import { z } from "zod";
import { filter, idFilter } from "./filters.ts";

/** The parameters of `GET /api/events`. */
export const liveQuery = z.object({
  user_id: idFilter.meta({ description: "reject the request if the credential belongs to another user" }),
  after: filter.meta({ description: "the id of the last event received, to continue after it" }),
});

/**
 * The kinds of things whose changes `GET /api/events` announces. A project's change also stands for its settings,
 * members and tokens; a workspace's for its people, roles and teams; a profile's, which only its owner receives, for
 * personal tokens and memberships.
 */
export type LiveKind =
  | "issue"
  | "comment"
  | "report"
  | "error_group"
  | "notification"
  | "epic"
  | "project"
  | "workspace"
  | "profile";

/** The data of a server-sent event: what changed, but not how. Clients read its current state. */
export type LiveEvent = {
  kind: LiveKind;
  project_id: number | null;
  id: number;
  /** What a comment is on. */
  commentable_type?: "issues" | "epics";
  commentable_id?: number;
};
