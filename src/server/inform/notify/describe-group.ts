import { sql } from "kysely";
import type { ProjectAccess } from "../../access/project-access.ts";
import type { Tx } from "../../db/connect.ts";
import type { Described } from "./issue-notifications.ts";
import { shorten } from "./message-parts.ts";

/** Characters of a group's message that a notification contains. */
export const MAX_THING_TEXT = 500;

export async function describeGroup(
  tx: Tx,
  project: ProjectAccess["project"],
  groupId: number,
): Promise<Described> {
  const { rows } = await sql<{ exception_class: string; message: string }>`
    select exception_class, left(latest_message, ${MAX_THING_TEXT}) as message from error_groups
    where project_id = ${project.id} and id = ${groupId}`.execute(tx);
  const { exception_class, message } = rows[0] as (typeof rows)[number];
  return {
    subject: {
      workspace_id: project.workspace_id,
      project_id: project.id,
      error_group_id: groupId,
      thing: { title: exception_class, text: message },
    },
    description: `the error ${shorten(exception_class)}`,
    path: `/projects/${project.key}/errors/${groupId}`,
  };
}
