import { sql } from "kysely";
import type { Tx } from "../db/connect.ts";
import { BUG, HIGH } from "../../shared/issues.ts";
import { issueDescription, issueTitle, type DescribedGroup } from "../../shared/issue-of-error.ts";
import type { DemoErrorGroup } from "./error-groups.ts";
import type { DemoIssue, IssueSeed } from "./issues.ts";
import type { Random } from "./samples/seeded-random.ts";
import type { ProjectSetup } from "./workspace.ts";

export type PromotedGroup = { group: DemoErrorGroup; seed: IssueSeed };

/**
 * Picks every tenth of the more frequent half of the groups, and the stories that continue with a fix, and prepares the issues that
 * promoting them would create. The issue of a resolved group is closed; that of a regressed group was closed before.
 */
export async function pickPromotedGroups(
  tx: Tx,
  { project }: ProjectSetup,
  groups: DemoErrorGroup[],
  { now, random, publicUrl }: { now: number; random: Random; publicUrl: string },
): Promise<PromotedGroup[]> {
  const candidates = groups.filter(({ status, story, isMerged }) => status !== 2 && !story && !isMerged);
  const half = candidates.slice(0, Math.ceil(candidates.length / 2));
  const stories = groups.filter(({ story }) => story?.fate === "fixed" || story?.fate === "regressed");
  const chosen = [...stories, ...random.some(half, Math.ceil(half.length / 10))];
  const { rows } = await sql<DescribedGroup & { id: number }>`
    select g.id, g.exception_class, g.latest_message, g.environment, g.occurrence_count, g.first_seen_at,
      g.last_seen_at, d.stack_trace
    from error_groups g join error_group_details d on d.group_id = g.id
    where g.id = any(${chosen.map(({ id }) => id)}::bigint[]) order by g.id`.execute(tx);
  return rows.flatMap((row) => {
    const group = chosen.find(({ id }) => id === row.id);
    if (!group) return [];
    const { first, resolvedAt, regressedAt, regressedRelease } = group;
    const until = resolvedAt ?? now;
    return {
      group,
      seed: {
        title: issueTitle(row),
        description: issueDescription(row, `${publicUrl}/projects/${project.key}/errors/${group.id}`),
        type: BUG,
        priority: HIGH,
        createdAt: Math.floor(first + (0.2 + 0.5 * random.fraction()) * (until - first)),
        course: {
          closedAt: resolvedAt,
          reopened:
            regressedAt === null
              ? undefined
              : { at: regressedAt, release: regressedRelease, groupId: group.id },
        },
      },
    };
  });
}

/** Links the groups to `issues`, which start with the groups' issues in the same order. */
export async function linkErrorGroups(tx: Tx, groups: PromotedGroup[], issues: DemoIssue[]): Promise<void> {
  for (const [index, { group }] of groups.entries()) {
    const issue = issues[index];
    if (issue) group.issue = issue;
  }
  await sql`
    update error_groups g set linked_issue_id = l.issue_id
    from unnest(${groups.map(({ group }) => group.id)}::bigint[], ${groups.map((_, index) => issues[index]?.id)}::bigint[])
      as l (group_id, issue_id)
    where g.id = l.group_id`.execute(tx);
}
