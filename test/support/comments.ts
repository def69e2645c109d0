import assert from "node:assert/strict";
import type { Comment, CommentList } from "../../src/shared/comments.ts";
import type { Board } from "./board.ts";
import type { Client } from "./client.ts";

export const COMMENTED = ["issues", "epics"] as const;

/** The comments on a new issue or epic of the board. */
export type Discussion = {
  /** The id of the issue or epic. */
  id: number;
  /** `/api/projects/12/issues/34/comments` */
  url: string;
  of(comment: { id: number }): string;
  /** Creates a comment, by default as an administrator; fails if that is rejected. */
  make(fields?: Record<string, unknown>, by?: Client): Promise<Comment>;
  reply(root: { id: number }, by?: Client): Promise<Comment>;
  list(query?: string): Promise<CommentList>;
  ids(query?: string): Promise<number[]>;
};

let count = 0;

export async function openDiscussion(board: Board, on: (typeof COMMENTED)[number]): Promise<Discussion> {
  const id = on === "issues" ? (await board.make()).id : await board.epic();
  const url = `${board.url}/${on}/${id}/comments`;
  const list = async (query = "") => {
    const answer = await board.admin.get(url + query);
    assert.equal(answer.status, 200, answer.text);
    return answer.body as CommentList;
  };
  const make: Discussion["make"] = async (fields = {}, by = board.admin) => {
    const answer = await by.post(url, { content: `Comment ${++count}`, ...fields });
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  };
  return {
    id,
    url,
    of: (comment) => `${url}/${comment.id}`,
    make,
    reply: (root, by) => make({ parent_id: root.id }, by),
    list,
    ids: async (query) => (await list(query)).data.map((comment) => comment.id),
  };
}
