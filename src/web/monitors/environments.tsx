import { Link } from "@tanstack/react-router";
import type { Monitor, MonitorEnvironment } from "../../shared/monitors.ts";
import type { Project } from "../../shared/projects.ts";
import { Panel, PanelList, PanelRow } from "../forms/panel.tsx";
import { buttonClass } from "../kit/button.tsx";
import { Time } from "../kit/dates/time.tsx";
import { MONITOR_LOOKS } from "./monitor-status.ts";
import { StatusBadge } from "./status-badge.tsx";

type Props = { project: Project; monitor: Monitor };

/** The state of the monitor in each environment that has checked in, with the error of its failures. */
export function Environments({ project, monitor }: Props) {
  return (
    <Panel title="Environments">
      <PanelList label="Environments">
        {monitor.environments.map((environment) => (
          <EnvironmentRow key={environment.name} projectKey={project.key} environment={environment} />
        ))}
      </PanelList>
    </Panel>
  );
}

function EnvironmentRow({
  projectKey,
  environment,
}: {
  projectKey: string;
  environment: MonitorEnvironment;
}) {
  const { name, status, last_check_in_at, next_due_at, error_group_id } = environment;
  return (
    <PanelRow
      end={
        error_group_id !== null && (
          <Link
            to="/projects/$projectKey/errors/$errorGroupId"
            params={{ projectKey, errorGroupId: String(error_group_id) }}
            className={buttonClass({ size: "sm" })}
          >
            Open error<span className="sr-only"> of {name}</span>
          </Link>
        )
      }
    >
      <div className="min-w-0 flex-1">
        <div className="flex min-w-0 items-center gap-2">
          <bdi className="min-w-0 truncate font-medium" title={name}>
            {name}
          </bdi>
          <StatusBadge look={MONITOR_LOOKS[status]} />
        </div>
        <p className="text-sm text-text-3">
          Last run <Time at={last_check_in_at} />
          {next_due_at !== null && (
            <>
              {" · next run "}
              <Time at={next_due_at} />
            </>
          )}
        </p>
      </div>
    </PanelRow>
  );
}
