import { sql } from "kysely";
import type { Tx } from "../../db/connect.ts";
import { BUG, HIGH } from "../../../shared/issues.ts";
import { issueDescription, issueTitle, type DescribedGroup } from "../../intake/error-groups/issue-text.ts";
import type { DemoIssue, IssueSeed } from "./issues.ts";
import type { Random } from "./seeded-random.ts";
import type { ProjectSetup } from "./workspace.ts";

export type PromotedGroup = { id: number; seed: IssueSeed };

/** Picks every tenth of the more frequent half of the groups and prepares the issues that promoting them would create. */
export async function pickPromotedGroups(
  tx: Tx,
  { project }: ProjectSetup,
  groupIds: number[],
  { now, random, publicUrl }: { now: number; random: Random; publicUrl: string },
): Promise<PromotedGroup[]> {
  const half = groupIds.slice(0, Math.ceil(groupIds.length / 2));
  const chosen = random.some(half, Math.ceil(half.length / 10));
  const { rows } = await sql<DescribedGroup & { id: number }>`
    select g.id, g.exception_class, g.latest_message, g.environment, g.occurrence_count, g.first_seen_at,
      g.last_seen_at, d.stack_trace
    from error_groups g join error_group_details d on d.group_id = g.id
    where g.id = any(${chosen}::bigint[]) order by g.id`.execute(tx);
  return rows.map((group) => {
    const first = Date.parse(group.first_seen_at);
    return {
      id: group.id,
      seed: {
        title: issueTitle(group),
        description: issueDescription(group, `${publicUrl}/projects/${project.key}/errors/${group.id}`),
        type: BUG,
        priority: HIGH,
        createdAt: Math.floor(first + random.fraction() * 0.8 * (now - first)),
      },
    };
  });
}

/** Links the groups to `issues`, which start with the groups' issues in the same order. */
export async function linkErrorGroups(tx: Tx, groups: PromotedGroup[], issues: DemoIssue[]): Promise<void> {
  await sql`
    update error_groups g set linked_issue_id = l.issue_id
    from unnest(${groups.map((group) => group.id)}::bigint[], ${groups.map((_, index) => issues[index]?.id)}::bigint[])
      as l (group_id, issue_id)
    where g.id = l.group_id`.execute(tx);
}
