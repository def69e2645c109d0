import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Home } from "../../shared/home.ts";
import { homeQuery, leaveHome } from "../data/home.ts";
import { useProjects } from "../data/projects/projects.ts";
import { useProfile } from "../data/account/session.ts";
import { onLeaving } from "../kit/leaving.ts";
import { PageHeader } from "../kit/page-header.tsx";
import { PanelSkeleton } from "../lists/panel-skeleton.tsx";
import { NewProjectButton, NoProjects, useMayCreateProjects } from "../workspaces/no-projects.tsx";
import { QueryError } from "../page/query-error.tsx";
import { Changes, Regressions, Waiting, Work } from "./home-parts.tsx";
import { FirstSteps, useFirstSteps } from "./first-steps.tsx";
import { HomeFigures } from "./home-figures.tsx";
import { HomeProjects } from "./home-projects.tsx";

/** The start page: the day in figures, the projects, what changed, what is in progress and what waits. */
export function HomePage() {
  const profile = useProfile();
  const projects = useProjects();
  const home = useQuery({ ...homeQuery, enabled: projects.length > 0 });
  useVisit(home.data);
  const mayCreate = useMayCreateProjects();
  return (
    <>
      <PageHeader
        title={`Hello, ${profile.first_name}`}
        actions={projects.length > 0 && mayCreate && <NewProjectButton />}
      />
      {projects.length === 0 ? (
        <NoProjects />
      ) : (
        <div className="flex flex-col gap-4 py-4">
          <HomeFigures home={home.data} />
          <HomeProjects projects={projects} numbers={home.data?.projects} />
          {home.isError && home.data === undefined ? (
            <QueryError error={home.error} retry={() => void home.refetch()} />
          ) : (
            <Overview home={home.data} />
          )}
        </div>
      )}
    </>
  );
}

function Overview({ home }: { home: Home | undefined }) {
  const { steps, dismiss } = useFirstSteps(home);
  if (!home) return <OverviewSkeleton />;
  const { has_error, has_report, has_issue } = home.first_steps;
  const isBare = has_error !== true && has_report !== true && has_issue !== true;
  return (
    <>
      {steps.length > 0 && <FirstSteps steps={steps} onDismiss={dismiss} />}
      {(steps.length === 0 || !isBare) && <Panels home={home} />}
    </>
  );
}

/** The lists, even if some are empty. */
function Panels({ home }: { home: Home }) {
  const readsReports = home.projects.some(({ waiting_reports }) => waiting_reports !== null);
  const readsErrors = home.projects.some(({ open_errors }) => open_errors !== null);
  const work = <Work home={home} />;
  // A short list of changes would leave the left half of a wide page empty.
  const isShort = home.changes.length < MANY_CHANGES;
  return (
    <div className="grid max-w-304 items-start gap-4 px-4 lg:grid-cols-2">
      <div className={COLUMN}>
        <Changes home={home} />
        {isShort && work}
      </div>
      <div className={COLUMN}>
        {!isShort && work}
        {readsErrors && <Regressions home={home} />}
        {readsReports && <Waiting home={home} />}
      </div>
    </div>
  );
}

/** A single panel in each column, so that nothing moves when the panels below it arrive. */
const OverviewSkeleton = () => (
  <div className="grid max-w-304 items-start gap-4 px-4 lg:grid-cols-2">
    {[0, 1].map((column) => (
      <div key={column} className="border-line bg-surface rounded-md border pt-10 max-lg:last:hidden">
        <PanelSkeleton rows={6} lines={2} />
      </div>
    ))}
  </div>
);

const MANY_CHANGES = 6;
const COLUMN = "flex min-w-0 flex-col gap-4";

/** Records the visit when the page is left, by navigation or by closing the tab. */
function useVisit(home: Home | undefined) {
  const shown = useRef(home);
  useEffect(() => {
    shown.current = home;
  });
  useEffect(() => {
    const leave = () => shown.current && leaveHome(shown.current);
    const stop = onLeaving(leave);
    return () => {
      stop();
      leave();
    };
  }, []);
}
