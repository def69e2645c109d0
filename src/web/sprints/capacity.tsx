import type { Sprint } from "../../shared/sprints.ts";
import { capacityOf, type Measure, sizeText } from "./measure.ts";

const MEASURES = ["issues", "minutes"] as const;

/** How much of the sprint's capacity is planned; nothing if it has none. */
export function Capacity({ sprint, planned }: { sprint: Sprint; planned: Record<Measure, number> }) {
  const lines = MEASURES.flatMap((measure) => {
    const capacity = capacityOf(sprint, measure);
    return capacity === null ? [] : [{ measure, capacity, over: planned[measure] - capacity }];
  });
  if (lines.length === 0) return null;
  return (
    <ul aria-label="Capacity" className="flex flex-col gap-1 text-text-2">
      {lines.map(({ measure, capacity, over }) => (
        <li key={measure} className={over > 0 ? "font-medium text-warn" : ""}>
          {`${sizeText(planned[measure], measure)} planned, capacity ${sizeText(capacity, measure)}`}
          {over > 0 && ` (${sizeText(over, measure)} over)`}
        </li>
      ))}
    </ul>
  );
}
