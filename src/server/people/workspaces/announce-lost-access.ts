import type { Tx } from "../../db/connect.ts";
import { announce } from "../../record/live-changes.ts";

/** Makes these users' pages reload what they can access, because they receive no live changes of what they have lost. */
export function announceLostAccess(tx: Tx, userIds: readonly number[]): Promise<void> {
  return announce(
    tx,
    userIds.map((id) => ({ kind: "profile", project_id: null, id, user_id: id })),
  );
}
