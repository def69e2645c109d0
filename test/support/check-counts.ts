import assert from "node:assert/strict";
import type { ErrorGroup } from "../../src/shared/error-groups.ts";

/** Fails unless the group counts each acknowledged event once, and no event twice. It may count unanswered ones. */
export function checkCounts(
  group: ErrorGroup,
  { acknowledged, unanswered }: { acknowledged: number; unanswered: number },
) {
  const { occurrence_count: count } = group;
  const said = `${group.exception_class}: ${acknowledged} acknowledged, ${unanswered} unanswered, ${count} counted`;
  assert.ok(acknowledged > 0 && count >= acknowledged && count <= acknowledged + unanswered, said);
  const sum = (counts: number[]) => counts.reduce((total, one) => total + one, 0);
  assert.equal(sum(group.daily_counts), count, said);
  assert.equal(sum(group.releases.map((release) => release.occurrence_count)), count, said);
  assert.equal(sum(group.hosts.map((host) => host.count)), count, said);
}
