import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { z } from "zod";
import type { projectChanges } from "../../../shared/projects.ts";
import type { Db } from "../../db/connect.ts";
import { changedColumns } from "../../db/patch-columns.ts";
import { recordAudit } from "../../record/audit.ts";
import { forwardDsn, resetForwarding, type DsnRules } from "./forward-dsn.ts";
import { noSuchProject } from "./lock-project.ts";

export async function updateProject(
  db: Db,
  projectId: number,
  body: z.output<typeof projectChanges>,
  addresses: DsnRules,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom("projects")
      .select(["name", "description", "close_resolves", "regression_reopens", "ship_tells_reporters"])
      .select(["spike_events", "spike_times"])
      .select([
        "keep_vars",
        "keep_debug_events",
        "group_by_mapped_frames",
        "repository_url_pattern",
        "code_owners",
        "form_key",
        "done_subject",
        "done_message",
        "forward_dsn",
      ])
      .where("id", "=", projectId)
      .where("deleted_at", "is", null)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!before) throw noSuchProject();
    const changes = changedColumns(before, {
      name: body.name,
      description: body.description,
      close_resolves: body.lifecycle?.close_resolves,
      regression_reopens: body.lifecycle?.regression_reopens,
      ship_tells_reporters: body.lifecycle?.ship_tells_reporters,
      spike_events: body.spike?.events,
      spike_times: body.spike?.times,
      keep_vars: body.keep_vars,
      keep_debug_events: body.keep_debug_events,
      group_by_mapped_frames: body.group_by_mapped_frames,
      repository_url_pattern: body.repository_url_pattern,
      code_owners: body.code_owners,
      form_key: formKey(before.form_key, body.feedback?.public_form),
      done_subject: body.feedback?.done_subject,
      done_message: body.feedback?.done_message,
      forward_dsn: forwardDsn(before.forward_dsn, body.forward_dsn, addresses),
    });
    if (!changes) return;
    await tx
      .updateTable("projects")
      .set({
        ...changes,
        ...(changes.ship_tells_reporters && { ship_tells_since: sql`clock_timestamp()` }),
        updated_at: sql`clock_timestamp()`,
      })
      .where("id", "=", projectId)
      .execute();
    if (changes.forward_dsn !== undefined) await resetForwarding(tx, projectId, changes.forward_dsn);
    await recordAudit(tx, {
      kind: "project.changed",
      project_id: projectId,
      subject: { type: "project", id: projectId, name: changes.name ?? before.name },
      details: { fields: Object.keys(changes).map((name) => (name === "form_key" ? "public_form" : name)) },
    });
  });
}

/** Each time the public form is switched on, it gets a new address. Undefined: unchanged. */
function formKey(current: string | null, isOn: boolean | undefined): string | null | undefined {
  if (isOn === undefined || isOn === (current !== null)) return undefined;
  return isOn ? randomBytes(16).toString("base64url") : null;
}
