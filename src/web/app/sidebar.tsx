import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import {
  CircleUser,
  Ellipsis,
  House,
  Inbox,
  LayoutDashboard,
  ListTodo,
  OctagonAlert,
  PanelLeft,
  Search,
  Settings,
  SquareKanban,
  Timer,
} from "lucide-react";
import { memo, Suspense } from "react";
import type { Project } from "../../shared/projects.ts";
import { countsQuery } from "../data/projects/counts.ts";
import { useWaitingReports } from "../reports/use-waiting-reports.ts";
import { can, useProjects } from "../data/projects/projects.ts";
import { viewsQuery } from "../data/projects/saved-views.ts";
import { unreadText, useUnread } from "../data/inbox/unread.ts";
import { useCurrentProject } from "../data/projects/use-current-project.ts";
import { KIND_ICONS } from "../marks/kind-icons.ts";
import { deferredPart } from "../kit/lazy-part.tsx";
import { Menu } from "../kit/menu.tsx";
import { openDialog } from "../page/open-dialog.ts";
import { ProjectSwitcher } from "../projects/project-switcher.tsx";
import { useStore } from "../state/store.ts";
import { useCurrentView } from "../views/use-current-view.ts";
import { isSidebarNarrow, toggleSidebar } from "./narrow-sidebar.ts";
import { PersonMenu } from "./person-menu.tsx";
import { Content, Dot, SavedViewContext, Item, ITEM, Waiting, WIDE_ONLY } from "./sidebar-item.tsx";

const SidebarViews = deferredPart(async () => (await import("../views/sidebar-views.tsx")).SidebarViews);

export function Sidebar() {
  const isView = useCurrentView() !== undefined;
  return (
    <SavedViewContext value={isView}>
      <Navigation />
    </SavedViewContext>
  );
}

/** Personal pages first, then the project's. Hides what is turned off or not permitted. */
const Navigation = memo(function Navigation() {
  const project = useCurrentProject();
  const unread = useUnread();
  const own = useQuery(viewsQuery(null)).data;
  const shared = useQuery({ ...viewsQuery(project?.id ?? null), enabled: project !== undefined }).data;
  const hasViews = (own?.length ?? 0) + (shared?.length ?? 0) > 0;
  const isNarrow = useStore(isSidebarNarrow);
  const anyErrors = useProjects().some((one) => one.features.error_tracking && can(one, "error-groups:read"));

  return (
    <nav aria-label="Main" className="flex h-full flex-col gap-4 overflow-y-auto p-3">
      <ProjectSwitcher current={project} />
      <ul className="flex flex-col gap-0.5">
        <li>
          <button type="button" className={ITEM} onClick={() => openDialog({ kind: "palette" })}>
            <Content icon={Search} label="Search" command="palette" />
          </button>
        </li>
        <Item to="/" icon={House} label="Home" command="goHome" />
        <Item to="/notifications" icon={Inbox} label="Inbox" command="goInbox">
          {unread > 0 && <Dot className="bg-accent" />}
          {unread > 0 && (
            <span className={`bg-accent text-on-accent ml-auto rounded-full px-1.5 text-xs ${WIDE_ONLY}`}>
              {unreadText(unread)}
              <span className="sr-only"> unread</span>
            </span>
          )}
        </Item>
        <Item to="/my-issues" icon={CircleUser} label="My issues" command="goMine" />
        {anyErrors && <Item to="/errors" icon={OctagonAlert} label="All errors" />}
      </ul>
      {project && <ProjectPages project={project} />}
      {hasViews && (
        <Suspense>
          <SidebarViews className={ITEM} />
        </Suspense>
      )}
      <div className="mt-auto flex flex-col gap-0.5">
        <button
          type="button"
          aria-expanded={!isNarrow}
          className={`${ITEM} max-md:hidden`}
          onClick={toggleSidebar}
        >
          <Content
            icon={PanelLeft}
            label={isNarrow ? "Expand sidebar" : "Collapse sidebar"}
            command="sidebar"
          />
        </button>
        <PersonMenu />
      </div>
    </nav>
  );
});

/** The pages of a project that the user may open. */
function ProjectPages({ project }: { project: Project }) {
  const counts = useQuery(countsQuery(project.id)).data;
  const waiting = useWaitingReports(project.id);
  const { key } = project;
  const has = (feature: "reports" | "error_tracking", permission: Parameters<typeof can>[1]) =>
    project.features[feature] && can(project, permission);
  return (
    <section aria-labelledby="nav-project" className="flex flex-col gap-1">
      <h2 dir="auto" id="nav-project" className={`text-text-3 px-2 text-xs font-semibold ${WIDE_ONLY}`}>
        {project.name}
      </h2>
      <ul className="flex flex-col gap-0.5">
        <Item to="/projects/$projectKey" projectKey={key} icon={LayoutDashboard} label="Overview" />
        {has("reports", "reports:read") && (
          <Item
            to="/projects/$projectKey/triage"
            projectKey={key}
            icon={KIND_ICONS.report}
            label="Triage"
            command="goTriage"
          >
            <Waiting count={waiting} unit="waiting" />
          </Item>
        )}
        {has("error_tracking", "error-groups:read") && (
          <ErrorPages projectKey={key} open={counts?.open_errors} hasMonitors={(counts?.monitors ?? 0) > 0} />
        )}
        {can(project, "issues:read") && <IssuePages projectKey={key} />}
        {can(project, "epics:read") && (
          <Item
            to="/projects/$projectKey/epics"
            projectKey={key}
            icon={KIND_ICONS.epic}
            label="Epics"
            command="goEpics"
          />
        )}
        {counts?.monitors === 0 && <MorePages projectKey={key} />}
        <Item
          to="/projects/$projectKey/settings"
          projectKey={key}
          icon={Settings}
          label="Settings"
          command="goSettings"
        />
      </ul>
    </section>
  );
}

type ErrorPagesProps = { projectKey: string; open: number | null | undefined; hasMonitors: boolean };

function ErrorPages({ projectKey, open, hasMonitors }: ErrorPagesProps) {
  return (
    <>
      <Item
        to="/projects/$projectKey/errors"
        projectKey={projectKey}
        icon={KIND_ICONS.error}
        label="Errors"
        command="goErrors"
      >
        <Waiting count={open} unit="open" />
      </Item>
      <Item
        to="/projects/$projectKey/releases"
        projectKey={projectKey}
        icon={KIND_ICONS.release}
        label="Releases"
        command="goReleases"
      />
      {hasMonitors && (
        <Item
          to="/projects/$projectKey/monitors"
          projectKey={projectKey}
          icon={KIND_ICONS.monitor}
          label="Monitors"
          command="goMonitors"
        />
      )}
    </>
  );
}

/** Pages that the project has nothing on yet. */
function MorePages({ projectKey }: { projectKey: string }) {
  const navigate = useNavigate();
  return (
    <li>
      <Menu
        label="More pages"
        trigger={
          <button type="button" className={ITEM}>
            <Content icon={Ellipsis} label="More" command={undefined} />
          </button>
        }
        items={[
          {
            label: "Monitors",
            icon: KIND_ICONS.monitor,
            onSelect: () => void navigate({ to: "/projects/$projectKey/monitors", params: { projectKey } }),
          },
        ]}
      />
    </li>
  );
}

function IssuePages({ projectKey }: { projectKey: string }) {
  return (
    <>
      <Item
        to="/projects/$projectKey/board"
        projectKey={projectKey}
        icon={SquareKanban}
        label="Board"
        command="goBoard"
      />
      <Item
        to="/projects/$projectKey/issues"
        projectKey={projectKey}
        icon={ListTodo}
        label="Issues"
        command="goList"
      />
      <Item
        to="/projects/$projectKey/sprints"
        projectKey={projectKey}
        icon={Timer}
        label="Sprints"
        command="goSprint"
      />
    </>
  );
}
