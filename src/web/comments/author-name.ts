import type { Comment } from "../../shared/comments.ts";
import { nameOf, type People } from "../data/projects/people.ts";

/** The author of a report, who has no account, may have given a name. */
export const authorName = ({ user_id, author_name }: Comment, people: People): string =>
  user_id === null ? (author_name ?? "Unnamed reporter") : nameOf(people.of(user_id));
