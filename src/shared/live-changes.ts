import { z } from "zod";
import type { Comment } from "./comments.ts";
import { asId, filter, filterOf, idFilter } from "./filters.ts";

/** A page loads its data before its stream is open. */
const MAX_RECENT_SECONDS = 60;

/** The parameters of `GET /api/events`. */
export const liveQuery = z.object({
  user_id: idFilter.meta({ description: "reject the request if the credential belongs to another user" }),
  after: filter.meta({ description: "the id of the last event received, to continue after it" }),
  recent: filterOf(`must be a number of seconds from 1 to ${MAX_RECENT_SECONDS}`, (value) => {
    const seconds = asId(value);
    return seconds !== undefined && seconds <= MAX_RECENT_SECONDS ? seconds : undefined;
  }).meta({ type: "integer", minimum: 1, maximum: MAX_RECENT_SECONDS }),
});

/**
 * The kinds of items whose changes `GET /api/events` announces. A change of a project also stands for its settings, members and
 * tokens; of a workspace, for its people, roles and teams; of a profile, which only its owner receives, for personal tokens and
 * memberships.
 */
export type LiveKind =
  | "issue"
  | "comment"
  | "report"
  | "error_group"
  | "release"
  | "monitor"
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
  commentable_type?: Comment["commentable_type"];
  commentable_id?: number;
};
