import { sql } from "kysely";
import { ERROR_ASSIGNED } from "../../../shared/notifications.ts";
import type { Tx } from "../../db/connect.ts";
import { nameOf } from "./message-parts.ts";
import { nameError, readNotifiedGroups } from "./notified-groups.ts";
import { notifyAboutGroups, type GroupNotice } from "./notify-about-groups.ts";

/** Notifies the new assignee of groups in any projects, unless they assigned the groups to themselves. Without an actor, an alert rule did. */
export async function notifyErrorsAssigned(
  tx: Tx,
  groupIds: number[],
  assigneeId: number,
  actorId: number | null,
): Promise<void> {
  if (groupIds.length === 0 || assigneeId === actorId) return;
  const actor = actorId === null ? "An alert rule" : ((await nameOf(tx, actorId)) ?? "Someone");
  for (const { project, groups } of await readNotifiedGroups(tx, groupIds)) {
    const notices = [...groups.values()].map((group): GroupNotice => ({
      group,
      type: ERROR_ASSIGNED,
      message: `${actor} assigned ${nameError(group)} to you`,
    }));
    await notifyAboutGroups(tx, project, {
      notices,
      recipients: sql`select n, ${assigneeId}::bigint, true, true from notice`,
      actorId,
    });
  }
}
