import { useQueries } from "@tanstack/react-query";
import type { Sprint } from "../../shared/sprints.ts";
import { issuesQuery } from "../data/issues/issues.ts";
import { useSprints } from "../data/projects/sprints.ts";
import { capacityOf, type Measure, sizeText } from "./measure.ts";
import { sprintsIn } from "./sprint-sums.ts";
import { velocityOf } from "./velocity.ts";

const MAX_SPRINTS = 3;

/** What is planned for the sprint, compared with its capacity and with what the last sprints achieved. */
export function PlanSums({
  sprint,
  planned,
  measure,
}: {
  sprint: Sprint;
  planned: number;
  measure: Measure;
}) {
  const velocity = useVelocity(sprint.project_id, measure);
  const capacity = capacityOf(sprint, measure);
  const over = capacity === null ? 0 : planned - capacity;
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2 [&_dt]:text-sm [&_dt]:text-text-3">
      <div>
        <dt>Planned</dt>
        <dd className={over > 0 ? "font-medium text-warn" : "font-medium"}>
          {sizeText(planned, measure)}
          {over > 0 && ` (${sizeText(over, measure)} over)`}
        </dd>
      </div>
      <div>
        <dt>Capacity</dt>
        <dd>{capacity === null ? "Not set" : sizeText(capacity, measure)}</dd>
      </div>
      <div>
        <dt>Velocity</dt>
        <dd>
          {velocity === null
            ? "…"
            : velocity === undefined
              ? "No closed sprints yet"
              : `${sizeText(velocity.average, measure)} on average (${velocity.each
                  .map(({ name, size }) => `${name}: ${sizeText(size, measure)}`)
                  .join(", ")})`}
        </dd>
      </div>
    </dl>
  );
}

/** Of the last three closed sprints; null while they load. */
function useVelocity(projectId: number, measure: Measure) {
  const closed = sprintsIn(useSprints(projectId), "closed").slice(0, MAX_SPRINTS);
  const reads = useQueries({
    queries: closed.map(({ id }) => issuesQuery(projectId, { sprint_id: String(id) })),
  });
  const loaded = closed.flatMap(({ name }, index) => {
    const issues = reads[index]?.data;
    return issues === undefined ? [] : [{ name, issues }];
  });
  return loaded.length < closed.length ? null : velocityOf(loaded, measure);
}
