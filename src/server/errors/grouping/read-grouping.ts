import { sql } from "kysely";
import type { Grouping } from "../../../shared/error-grouping.ts";
import type { Db } from "../../db/connect.ts";
import { missingGroup } from "../../record/merged-groups.ts";
import { withUtcOffset } from "../groups/utc-offset.ts";
import { explainRule, fingerprintsAsSent, type MappedFingerprint } from "./explain-rule.ts";
import { countedLines, nearGroups } from "./near-groups.ts";

type GroupRow = {
  id: number;
  project_id: number;
  environment: string;
  exception_class: string;
  fingerprint: string;
  stack_trace: string;
  additions: string | null;
};

type Alias = { fingerprint: string; exception_class: string; message: string; merged_at: string };

/** Explains how the group's events are grouped. 404 if the project has no such group. */
export async function readGrouping(db: Db, projectId: number, groupId: number): Promise<Grouping> {
  const { rows } = await sql<GroupRow>`
    select g.id, g.project_id, g.environment, g.exception_class, encode(g.key, 'hex') as fingerprint, d.stack_trace,
      d.additions
    from error_groups g join error_group_details d on d.group_id = g.id
    where g.project_id = ${projectId} and g.id = ${groupId}`.execute(db);
  const [group] = rows;
  if (!group) throw await missingGroup(db, projectId, groupId);
  const { rows: aliases } = await sql<Alias>`
    select encode(key, 'hex') as fingerprint, exception_class, message, merged_at from error_group_aliases
    where group_id = ${groupId} order by merged_at, key`.execute(db);
  const traced = {
    ...group,
    classes: [...new Set([group, ...aliases].map(({ exception_class }) => exception_class))],
    keys: [group, ...aliases].map(({ fingerprint }) => fingerprint),
  };
  const { rows: mapped } = await sql<MappedFingerprint>`
    select mapped, lines from mapped_fingerprints
    where project_id = ${projectId} and fingerprint = any(${fingerprintsAsSent(traced)}::bytea[])`.execute(
    db,
  );
  const { rule, lines } = explainRule(traced, mapped);
  const near =
    rule === "class_and_trace"
      ? await nearGroups(db, group, countedLines(lines))
      : { near: [], near_groups: [] };
  return {
    rule,
    lines,
    fingerprints: [
      { fingerprint: group.fingerprint, own: true, merged_at: null },
      ...aliases.map(({ fingerprint, merged_at }) => ({
        fingerprint,
        own: false,
        merged_at: withUtcOffset(merged_at),
      })),
    ],
    merged: aliases.map(({ fingerprint, exception_class, message }) => ({
      fingerprint,
      exception_class,
      message,
    })),
    ...near,
  };
}
