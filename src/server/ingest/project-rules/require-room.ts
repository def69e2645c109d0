import { sql } from "kysely";
import { refused } from "../../answers/errors.ts";
import type { Tx } from "../../db/connect.ts";

const NAMES = {
  alert_rules: "alert rules",
  inbound_rules: "inbound rules",
  privacy_rules: "privacy rules",
};

/** 422 if the project has `most` rules. Call this with the project's lock, so that concurrent requests cannot exceed it. */
export async function requireRoomForRule(
  tx: Tx,
  table: keyof typeof NAMES,
  projectId: number,
  most: number,
): Promise<void> {
  const { count } = await tx
    .selectFrom(table)
    .select(sql<number>`count(*)::int`.as("count"))
    .where("project_id", "=", projectId)
    .executeTakeFirstOrThrow();
  if (count >= most) throw refused(`A project can have at most ${most} ${NAMES[table]}. Delete one first.`);
}
