import type { Tx } from "../../../db/connect.ts";
import { noSuchMember } from "./read-members.ts";

export async function lockMember(tx: Tx, projectId: number, userId: number) {
  const row = await tx
    .selectFrom("project_members")
    .select(["role_id", "is_owner"])
    .where("project_id", "=", projectId)
    .where("user_id", "=", userId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw noSuchMember();
  return row;
}
