import { sql } from "kysely";
import type { Comment, CommentList } from "../../../shared/comments.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { afterId, idCursor, pageOf, type PageQuery } from "../../answers/page.ts";
import { commentColumns } from "./read-comment.ts";
import { isOn, type Target } from "./target.ts";

/**
 * The comments on an issue or epic (decisions.md 3): the thread of the pinned comment first, on every page, then roots
 * oldest first, each followed by its replies oldest first. `limit` counts roots; the pinned thread comes on top of them.
 * Ids are given in the order of creation.
 */
export async function listComments(db: Db, target: Target, query: PageQuery): Promise<CommentList> {
  // Of one moment, so that what is first is also what is pinned.
  const moment = db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
  return moment.execute(async (tx) => {
    const { count, pinned, roots } = await threadsOf(tx, target, query);
    const { data: ids, meta } = pageOf(roots, query, idCursor);
    const data = await commentsOf(tx, pinned === null ? ids : [pinned, ...ids]);
    return { data, meta: { ...meta, count } };
  });
}

type Threads = { count: number; pinned: number | null; roots: number[] };

/** The root of the pinned comment, and of the others those of the page and one more. */
async function threadsOf(tx: Tx, target: Target, query: PageQuery): Promise<Threads> {
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

/** Threads in the order of their roots' ids. */
async function commentsOf(tx: Tx, roots: number[]): Promise<Comment[]> {
  const { rows } = await sql<Comment>`
    select ${commentColumns}
    from unnest(${roots}::bigint[]) with ordinality as thread (root_id, place)
    cross join lateral (
      select * from comments where id = thread.root_id
      union all
      select * from comments where parent_id = thread.root_id
    ) c
    order by thread.place, c.parent_id nulls first, c.id`.execute(tx);
  return rows;
}
