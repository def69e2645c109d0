import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import type { Monitor } from "../../shared/monitors.ts";
import type { Project } from "../../shared/projects.ts";
import { monitorDaysQuery, monitorsQuery } from "../data/monitors/monitors.ts";
import { buttonClass } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { CodeBlock } from "../kit/markdown/code-block.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { useRowKeys } from "../lists/use-row-keys.ts";
import { QueryError } from "../page/query-error.tsx";
import { MonitorRow, STRIP_COLUMN, TIME_COLUMN } from "./monitor-row.tsx";
import { monitorsIn } from "./monitor-status.ts";

type Props = {
  project: Project;
  tab: string | undefined;
  /** The button for a new monitor. */
  create: ReactNode;
};

/** The monitors of a tab by name, or how to begin. */
export function MonitorList({ project, tab, create }: Props) {
  const query = useQuery(monitorsQuery(project.id));
  const shown = useMemo(
    () => query.data && monitorsIn(query.data, tab).toSorted((a, b) => a.name.localeCompare(b.name)),
    [query.data, tab],
  );
  if (shown === undefined)
    return query.isError ? (
      <QueryError error={query.error} retry={() => void query.refetch()} />
    ) : (
      <Skeleton rows={6} lines={2} label="Loading monitors" />
    );
  if (query.data?.length === 0) return <NoMonitors create={create} />;
  if (shown.length === 0)
    return (
      <EmptyState
        icon={CircleCheck}
        title="Nothing fails"
        text="All monitors are fine, waiting or muted."
        action={
          <Link to="." search={{}} replace className={buttonClass()}>
            Show all monitors
          </Link>
        }
      />
    );
  return <MonitorRows project={project} monitors={shown} />;
}

function NoMonitors({ create }: { create: ReactNode }) {
  return (
    <EmptyState
      drawing="sprints"
      title="No monitors yet"
      text="A monitor opens an error when a job fails, takes too long or does not run. The job calls its ping URL, or reports with a Sentry SDK."
      code={<CodeBlock label="At the end of a job" code={`curl ${location.origin}/ping/YOUR_TOKEN/$?`} />}
      action={create}
    />
  );
}

function MonitorRows({ project, monitors }: { project: Project; monitors: readonly Monitor[] }) {
  const keys = useRowKeys(monitors.length);
  const days = useQuery(monitorDaysQuery(project.id)).data;
  const daysOf = useMemo(() => new Map(days?.map((one) => [one.slug, one.days])), [days]);
  return (
    <div id={keys.boxId} className="@container">
      <div
        aria-hidden
        className="hidden h-8 items-center gap-3 border-b border-line px-4 text-sm text-text-3 @min-[720px]:flex"
      >
        <span className="flex-1">Monitor</span>
        <span className={STRIP_COLUMN}>Last 30 days</span>
        <span className={TIME_COLUMN}>Last run</span>
        <span className={TIME_COLUMN}>Next run</span>
      </div>
      <ul aria-label="Monitors">
        {monitors.map((monitor, index) => (
          <li key={monitor.slug}>
            <MonitorRow
              monitor={monitor}
              projectKey={project.key}
              days={daysOf.get(monitor.slug)}
              current={keys.cursor === index}
              row={keys.row(index)}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
