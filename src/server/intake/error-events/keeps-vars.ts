import { Fresh } from "../../access/fresh.ts";
import type { Db } from "../../db/connect.ts";

/** Each database has its own projects; tests open several in one process. */
const caches = new WeakMap<Db, Fresh<boolean>>();

/**
 * Whether the project keeps the variables of stack frames; the answer may be a second old. It is looked up only for events
 * that may have some.
 */
export async function keepsVars(db: Db, projectId: number, body: Buffer): Promise<boolean> {
  if (!body.includes('"vars"')) return false;
  let cache = caches.get(db);
  if (!cache) caches.set(db, (cache = new Fresh()));
  const keeps = await cache.get(String(projectId), () => read(db, projectId));
  return keeps ?? false;
}

async function read(db: Db, projectId: number): Promise<boolean | undefined> {
  const project = await db
    .selectFrom("projects")
    .select("keep_vars")
    .where("id", "=", projectId)
    .executeTakeFirst();
  return project?.keep_vars;
}
