import type { Issue } from "../../shared/issues.ts";
import { type Measure, sizeOfAll } from "./measure.ts";

type Closed = { name: string; issues: readonly Pick<Issue, "closed_at" | "estimated_minutes">[] };

/** The work done in each of the sprints, and on average; undefined without sprints. */
export function velocityOf(sprints: readonly Closed[], measure: Measure) {
  if (sprints.length === 0) return undefined;
  const each = sprints.map(({ name, issues }) => ({
    name,
    size: sizeOfAll(
      issues.filter(({ closed_at }) => closed_at !== null),
      measure,
    ),
  }));
  const average = each.reduce((sum, { size }) => sum + size, 0) / each.length;
  return { each, average: Math.round(average * 10) / 10 };
}
