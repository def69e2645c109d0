import { Link } from "@tanstack/react-router";
import type { Home } from "../../shared/home.ts";
import { can, useProjects } from "../data/projects/projects.ts";
import { useUnread } from "../data/inbox/unread.ts";
import { DayStrip } from "../kit/charts/day-strip.tsx";
import { Figure } from "../kit/charts/figure.tsx";
import { wholeRow } from "../lists/row.tsx";

type Numbers = Home["projects"][number];
type CountName = "waiting_reports" | "new_reports" | "new_errors" | "regressed_errors";

/** The day at a glance: what waits in all projects and for the user. Shown before the numbers arrive. */
export function HomeFigures({ home }: { home: Home | undefined }) {
  const projects = useProjects();
  const unread = useUnread();
  const reads = (feature: "reports" | "error_tracking", permission: Parameters<typeof can>[1]) =>
    projects.some((project) => project.features[feature] && can(project, permission));
  const readsErrors = reads("error_tracking", "error-groups:read");
  const sum = (name: CountName) => home && sumOf(home.projects.map((numbers) => numbers[name]));
  const fresh = sum("new_reports") ?? 0;
  const days = home && eventsByDay(home.projects);
  return (
    <section
      aria-label="Today"
      className="border-line bg-surface mx-4 max-w-296 overflow-hidden rounded-md border"
    >
      <dl className="divide-line -m-px grid grid-cols-2 [&>*]:border-line [&>*]:border-s [&>*]:border-t sm:grid-cols-3 lg:auto-cols-fr lg:grid-flow-col lg:grid-cols-none">
        {reads("reports", "reports:read") && (
          <Figure
            label="Reports waiting"
            value={sum("waiting_reports")}
            note={fresh > 0 && <span className="text-accent-text">+{fresh} new</span>}
          />
        )}
        {readsErrors && (
          <ErrorFigures created={sum("new_errors")} regressed={sum("regressed_errors")} days={days} />
        )}
        <Figure label="Your issues in progress" value={home?.work.length}>
          {(label) => (
            <Link to="/my-issues" className={wholeRow}>
              {label}
            </Link>
          )}
        </Figure>
        <Figure label="Unread in your inbox" value={unread}>
          {(label) => (
            <Link to="/notifications" className={wholeRow}>
              {label}
            </Link>
          )}
        </Figure>
      </dl>
    </section>
  );
}

type ErrorProps = {
  created: number | undefined;
  regressed: number | undefined;
  /** The events per day. */
  days: readonly number[] | undefined;
};

function ErrorFigures({ created, regressed, days }: ErrorProps) {
  return (
    <>
      <Figure label="New errors today" value={created}>
        {(label) => (
          <Link to="/errors" search={{ tab: "all", sort: "first_seen" }} className={wholeRow}>
            {label}
          </Link>
        )}
      </Figure>
      <Figure label="Regressed errors" value={regressed} tone="worse">
        {(label) => (
          <Link to="/errors" search={{ tab: "regressed" }} className={wholeRow}>
            {label}
          </Link>
        )}
      </Figure>
      <Figure
        label="Events today"
        value={days?.at(-1) ?? (days ? 0 : undefined)}
        note={
          days && (
            <span className="absolute end-4 top-3 max-xl:hidden">
              <DayStrip counts={days} height={32} />
            </span>
          )
        }
      />
    </>
  );
}

const sumOf = (counts: readonly (number | null)[]) =>
  counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);

/** The events of all projects per UTC day, oldest first. */
function eventsByDay(projects: readonly Numbers[]): number[] {
  const strips = projects.flatMap(({ daily_counts }) => (daily_counts === null ? [] : [daily_counts]));
  return (strips[0] ?? []).map((_, day) => sumOf(strips.map((counts) => counts[day] ?? 0)));
}
