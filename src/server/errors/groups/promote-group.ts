import { sql } from "kysely";
import type { z } from "zod";
import { HIGH, BUG } from "../../../shared/issues.ts";
import type { promoteGroupBody } from "../../../shared/error-group-work.ts";
import type { KeptFrame } from "../../../shared/kept-events.ts";
import { mappedTrace } from "../../../shared/stack-trace/mapped-trace.ts";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import type { IssueTemplate } from "../../../shared/issue-templates.ts";
import { issueDescription, issueTitle, type DescribedGroup } from "../../../shared/issue-of-error.ts";
import { descriptionSuffix, titlePrefix } from "../../../shared/template-texts.ts";
import type { Tx } from "../../db/connect.ts";
import { invalid, refused } from "../../answers/errors.ts";
import { findTemplate } from "../../work/issue-templates/read-templates.ts";
import { createIssue } from "../../work/issues/create-issue.ts";
import { linkGroupsTo } from "../../work/lifecycle/link-groups.ts";
import type { ProjectRef } from "../../work/issues/references.ts";
import { lockProject } from "../../people/projects/lock-project.ts";
import { autoWatchGroups } from "../../inform/watches/group-watches.ts";
import { missingGroup } from "../../record/merged-groups.ts";
import { linkReportsTo, requirePromotable } from "../../reports/link-reports.ts";
import type { ErrorDb } from "./error-db.ts";
import { readErrorGroup } from "./read-group.ts";

type GroupPromotion = {
  groupId: number;
  /** Null if an alert rule promotes the group. */
  actorId: number | null;
  body: Partial<z.output<typeof promoteGroupBody>>;
  publicUrl: string;
  /** Those of the newest event, with their original code. */
  frames: readonly KeptFrame[];
};

/**
 * Creates an issue from an error group, by default of type Bug, and links the two, and promotes the reports to the same issue, in
 * one transaction. A template adds to the texts and fills lane, labels and priority. Fields of the issue that are given replace
 * all of these. 404 if the project has no such group, 422 if
 * it is already linked to an issue, on `report_ids.N` if that report is not in the project or is already promoted or
 * dismissed, on `template_id` if the project has no such template, and on invalid fields of the issue. If two requests race, one wins and the other creates
 * nothing.
 */
export function promoteErrorGroup(
  errorDb: ErrorDb,
  project: ProjectRef,
  promotion: GroupPromotion,
): Promise<ErrorGroup> {
  return errorDb.db
    .transaction()
    .execute((tx) => promoteWithin(tx, project, promotion, errorDb.retentionDays));
}

/** The same, as a part of the caller's transaction. */
export async function promoteWithin(
  tx: Tx,
  project: ProjectRef,
  {
    groupId,
    actorId,
    body: { report_ids: reportIds = [], template_id, ...fields },
    publicUrl,
    frames,
  }: GroupPromotion,
  retentionDays: number,
): Promise<ErrorGroup> {
  await lockProject(tx, project.id);
  const group = await lockUnlinked(tx, project.id, groupId);
  await requirePromotable(tx, project.id, reportIds);
  const template = template_id === undefined ? undefined : await requireTemplate(tx, project.id, template_id);
  const described = { ...group, stack_trace: mappedTrace(group.stack_trace, frames) };
  const link = `${publicUrl}/projects/${project.key}/errors/${groupId}`;
  const issueId = await createIssue(tx, project, actorId, {
    ...fields,
    title: fields.title ?? issueTitle(group, titlePrefix(template)),
    description: fields.description ?? issueDescription(described, link, descriptionSuffix(template)),
    type: fields.type ?? BUG,
    priority: fields.priority ?? template?.priority ?? HIGH,
    lane_id: fields.lane_id ?? template?.lane_id ?? undefined,
    label_ids: fields.label_ids ?? template?.label_ids,
  });
  await linkGroupsTo(tx, project, { issueId, groupIds: [groupId], actorId });
  await linkReportsTo(tx, project.id, { issue: { id: issueId, existed: false }, ids: reportIds, actorId });
  if (actorId !== null)
    await autoWatchGroups(
      tx,
      [{ id: groupId, project_id: project.id, workspace_id: project.workspace_id }],
      actorId,
      "auto_watch_on_create",
    );
  return readErrorGroup({ db: tx, retentionDays }, project.id, groupId);
}

async function requireTemplate(tx: Tx, projectId: number, id: number): Promise<IssueTemplate> {
  const template = await findTemplate(tx, projectId, id);
  if (!template) throw invalid({ template_id: ["is not a template of the project"] });
  return template;
}

async function lockUnlinked(tx: Tx, projectId: number, groupId: number): Promise<DescribedGroup> {
  const { rows } = await sql<DescribedGroup & { linked_issue_id: number | null }>`
    select g.linked_issue_id, g.exception_class, g.latest_message, g.environment, g.occurrence_count,
      g.first_seen_at, g.last_seen_at, d.stack_trace
    from error_groups g join error_group_details d on d.group_id = g.id
    where g.project_id = ${projectId} and g.id = ${groupId}
    for no key update of g`.execute(tx);
  const [group] = rows;
  if (!group) throw await missingGroup(tx, projectId, groupId);
  if (group.linked_issue_id !== null) throw refused("The error group is already linked to an issue.");
  return group;
}
