import { sql } from "kysely";
import type { Comment, CommentList } from "../../../shared/comments.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { afterId, idCursor, pageOf, type PageQuery } from "../../answers/page.ts";
import { commentColumns } from "./read-comment.ts";
import { isOn, type CommentTarget } from "./target.ts";

/**
 * Every page begins with the thread of the pinned comment. Then come root comments, oldest first, each followed by its replies,
 * oldest first. `limit` counts root comments except the pinned thread. Ids are in the order of creation.
 */
export async function listComments(db: Db, target: CommentTarget, query: PageQuery): Promise<CommentList> {
  // One snapshot for both queries, so that the thread listed first is the pinned one.
  const snapshot = db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
  return snapshot.execute(async (tx) => {
    const { count, pinned, roots } = await readThreads(tx, target, query);
    const { data: ids, meta } = pageOf(roots, query, idCursor);
    const data = await readComments(tx, pinned === null ? ids : [pinned, ...ids]);
    return { data, meta: { ...meta, count } };
  });
}

type Threads = { count: number; pinned: number | null; roots: number[] };

/** The root of the pinned comment, and the other roots of the page plus one. */
async function readThreads(tx: Tx, target: CommentTarget, query: PageQuery): Promise<Threads> {
  const { rows } = await sql<Threads>`
    with pinned as (select coalesce(c.parent_id, c.id) as id from comments c where ${isOn(target)} and c.is_pinned)
    select
      (select count(*) from comments c where ${isOn(target)}) as count,
      (select id from pinned) as pinned,
      array(
        select c.root_id from comments c
        where ${isOn(target)} and c.root_id > ${afterId(query)}
          and c.root_id is distinct from (select id from pinned)
        order by c.root_id limit ${query.limit + 1}
      ) as roots`.execute(tx);
  return rows[0] as Threads;
}

/** The threads in the order of `roots`. */
async function readComments(tx: Tx, roots: number[]): Promise<Comment[]> {
  const { rows } = await sql<Comment>`
    select ${commentColumns}
    from unnest(${roots}::bigint[]) with ordinality as thread (root_id, position)
    cross join lateral (
      select * from comments where id = thread.root_id
      union all
      select * from comments where parent_id = thread.root_id
    ) c
    order by thread.position, c.parent_id nulls first, c.id`.execute(tx);
  return rows;
}
