import { createContext, use } from "react";
import type { Project } from "../../shared/projects.ts";
import type { People } from "../data/projects/people.ts";
import { targetPath, type CommentSubject } from "../data/comments.ts";
import { can } from "../data/projects/projects.ts";
import type { Reporter } from "./audience.tsx";
import type { Rights } from "./rights.ts";

/** What all comments on a page have in common. */
export type Discussion = {
  project: Project;
  on: CommentSubject;
  people: People;
  me: number;
  rights: Rights;
  /** The comment that the address links to. */
  marked: number | undefined;
  /** The author of a report from outside, who reads public comments. */
  reporter: Reporter | undefined;
};

/** Where the files of a new comment are added; undefined if the person may not add any. */
export const attachPathOf = (project: Project, on: CommentSubject): string | undefined =>
  can(project, "attachments:create") ? `${targetPath(project.id, on)}/attachments` : undefined;

export const DiscussionContext = createContext<Discussion | null>(null);

/** The comment that was pinned or unpinned last. Its card is remounted in another list, and keeps the focus. */
let movedId: number | undefined;

/** Call before pinning or unpinning a comment. */
export function keepFocusOn(id: number): void {
  movedId = id;
}

export const keepsFocus = (id: number) => id === movedId;

export function useDiscussion(): Discussion {
  const discussion = use(DiscussionContext);
  if (!discussion) throw new Error("A comment must be inside a DiscussionContext.");
  return discussion;
}
