import type { Comment } from "../../shared/comments.ts";
import type { Project } from "../../shared/projects.ts";
import { can } from "../data/projects/projects.ts";
import { permissionTo, type CommentSubject } from "../data/comments.ts";

/** What the person may do with the comments on something. Everyone who can read comments can like them. */
export type Rights = {
  write: boolean;
  /** Write to the author of a report. */
  reply: boolean;
  pin: boolean;
  /** Edit and delete. */
  change: (comment: Comment) => boolean;
};

export function rightsOf(project: Project, on: CommentSubject, me: number): Rights {
  const write = can(project, "comments:create");
  const update = can(project, permissionTo(on, "update"));
  return {
    write,
    reply: write && update,
    pin: update,
    change: ({ user_id }) => update || (write && user_id === me),
  };
}
