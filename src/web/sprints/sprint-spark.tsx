import type { Issue } from "../../shared/issues.ts";
import type { Sprint } from "../../shared/sprints.ts";
import { useNow } from "../kit/dates/time.tsx";
import { burnUp } from "./burn-up.ts";

const WIDTH = 96;
const HEIGHT = 28;

/** A sprint's burn-up without axes: the area is the closed issues, the dashed line the scope. */
export function SprintSpark({ sprint, issues }: { sprint: Sprint; issues: readonly Issue[] }) {
  const today = new Date(useNow()).toISOString().slice(0, 10);
  const chart = issues.length === 0 ? undefined : burnUp(sprint, issues, today);
  if (chart === undefined) return <span className="block" style={{ width: WIDTH, height: HEIGHT }} />;
  const max = Math.max(1, ...chart.scope.map((value) => value ?? 0));
  const last = Math.max(1, chart.days.length - 1);
  const points = (values: readonly (number | null)[]) =>
    values.flatMap((value, index) =>
      value === null
        ? []
        : [`${round((index / last) * WIDTH)} ${round(HEIGHT - 1 - (value / max) * (HEIGHT - 3))}`],
    );
  const done = points(chart.done);
  const reached = done.at(-1)?.split(" ")[0] ?? "0";
  return (
    <svg aria-hidden width={WIDTH} height={HEIGHT} className="block shrink-0">
      <path d={`M0 ${HEIGHT}L${done.join("L")}L${reached} ${HEIGHT}z`} className="fill-accent-tint" />
      <path d={`M${done.join("L")}`} fill="none" strokeWidth="1.5" className="stroke-accent" />
      <path
        d={`M${points(chart.scope).join("L")}`}
        fill="none"
        strokeDasharray="3 2"
        className="stroke-line-strong"
      />
      <path d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} className="stroke-line" />
    </svg>
  );
}

const round = (value: number) => Math.round(value * 10) / 10;
