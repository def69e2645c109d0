/** The kinds of things whose changes `GET /api/events` announces. */
export type LiveKind = "issue" | "comment" | "report" | "error_group" | "notification" | "epic" | "project";

/** The data of a server-sent event: what changed, but not how. Clients read its current state. */
export type LiveEvent = {
  kind: LiveKind;
  project_id: number | null;
  id: number;
  /** What a comment is on. */
  commentable_type?: "issues" | "epics";
  commentable_id?: number;
};
