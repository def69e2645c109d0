import { createHmac } from "node:crypto";
import { notFound } from "../../answers/errors.ts";
import type { Db } from "../../db/connect.ts";

/** A public form that is on. `key` signs its challenges. */
export type PublicForm = { project: { id: number; name: string }; key: Buffer };

/** 404 if there is no such form, or Reports is off. */
export async function findForm(db: Db, formKey: string): Promise<PublicForm> {
  const row = await db
    .selectFrom("projects as p")
    .innerJoin("workspaces as w", "w.id", "p.workspace_id")
    .select(["p.id", "p.name", "p.user_hash_secret"])
    .where("p.form_key", "=", formKey)
    .where("p.deleted_at", "is", null)
    .where("w.reports_enabled", "=", true)
    .executeTakeFirst();
  if (!row) throw notFound("There is no such form.");
  const { user_hash_secret, ...project } = row;
  // Hashes of users have other beginnings, so neither can stand for the other.
  return { project, key: createHmac("sha256", user_hash_secret).update(`form:${formKey}`).digest() };
}
