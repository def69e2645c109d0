import { Link } from "@tanstack/react-router";
import type { Monitor } from "../../shared/monitors.ts";
import { TabLinks } from "../kit/tab-links.tsx";
import { monitorsIn } from "./monitor-status.ts";

type Props = { monitors: readonly Monitor[]; tab: string | undefined };

const TABS = [
  { tab: undefined, label: "All" },
  { tab: "failing", label: "Failing" },
] as const;

/** Shows all monitors, or those that fail. */
export function MonitorTabs({ monitors, tab: shown }: Props) {
  return (
    <TabLinks
      label="Status"
      tabs={TABS.map(({ tab, label }) => ({
        label,
        current: tab === shown,
        count: monitorsIn(monitors, tab).length,
        link: <Link to="." search={tab === undefined ? {} : { tab }} replace />,
      }))}
    />
  );
}
