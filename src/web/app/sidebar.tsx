import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import {
  CircleUser,
  House,
  Inbox,
  LayoutDashboard,
  PanelLeft,
  Plus,
  Rocket,
  Search,
  Settings,
  SquareKanban,
  Timer,
  type LucideIcon,
} from "lucide-react";
import { createContext, type ReactNode, Suspense, use } from "react";
import { countsQuery } from "../data/counts.ts";
import { can, useProjects, useWorkspaces } from "../data/projects.ts";
import { ProjectSwitcher } from "../projects/project-switcher.tsx";
import { CATALOG, keycaps, type CommandId } from "../keys/catalog.ts";
import { nameOf } from "../data/people.ts";
import { useProfile } from "../data/session.ts";
import { useSignOut } from "../data/sign-out.ts";
import { compactCount } from "../kit/count-text.ts";
import { Avatar } from "../kit/avatar.tsx";
import { KIND_ICONS } from "../kit/kind-icons.ts";
import { Menu } from "../kit/menu.tsx";
import { openDialog } from "../page/open-dialog.ts";
import { viewsQuery } from "../data/saved-views.ts";
import { SidebarLink } from "../views/sidebar-link.tsx";
import { useCurrentView } from "../views/use-current-view.ts";
import { lazyPart } from "../kit/lazy-part.tsx";
import { useStore } from "../state/store.ts";
import { isSidebarNarrow, toggleSidebar } from "./narrow-sidebar.ts";
import { unreadText, useUnread } from "../data/unread.ts";
import { useCurrentProject } from "../data/use-current-project.ts";

const SidebarViews = lazyPart(async () => (await import("../views/sidebar-views.tsx")).SidebarViews);

/** Whether a saved view is on screen. It is marked then, and not the list it belongs to. */
const IsView = createContext(false);

export function Sidebar() {
  const isView = useCurrentView() !== undefined;
  return (
    <IsView value={isView}>
      <Navigation />
    </IsView>
  );
}

/** Personal pages first, then the project's. Hides what is turned off or not permitted. */
function Navigation() {
  const project = useCurrentProject();
  const unread = useUnread();
  const key = project?.key ?? "";
  const counts = useQuery({ ...countsQuery(project?.id ?? 0), enabled: project !== undefined }).data;
  const own = useQuery(viewsQuery(null)).data;
  const shared = useQuery({ ...viewsQuery(project?.id ?? null), enabled: project !== undefined }).data;
  const hasViews = (own?.length ?? 0) + (shared?.length ?? 0) > 0;
  const isNarrow = useStore(isSidebarNarrow);
  const anyErrors = useProjects().some((one) => one.features.error_tracking && can(one, "error-groups:read"));
  const has = (feature: "reports" | "error_tracking", permission: Parameters<typeof can>[1]) =>
    project !== undefined && project.features[feature] && can(project, permission);

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
          {unread > 0 && (
            <span className={`bg-accent text-on-accent ml-auto rounded-full px-1.5 text-xs ${WIDE_ONLY}`}>
              {unreadText(unread)}
              <span className="sr-only"> unread</span>
            </span>
          )}
        </Item>
        <Item to="/my-issues" icon={CircleUser} label="My issues" command="goMine" />
        {anyErrors && <Item to="/errors" icon={KIND_ICONS.error} label="All errors" />}
      </ul>
      {project && (
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
                <Waiting count={counts?.waiting_reports} unit="waiting" />
              </Item>
            )}
            {has("error_tracking", "error-groups:read") && (
              <Item
                to="/projects/$projectKey/errors"
                projectKey={key}
                icon={KIND_ICONS.error}
                label="Errors"
                command="goErrors"
              >
                <Waiting count={counts?.open_errors} unit="open" />
              </Item>
            )}
            {has("error_tracking", "error-groups:read") && (
              <Item
                to="/projects/$projectKey/releases"
                projectKey={key}
                icon={Rocket}
                label="Releases"
                command="goReleases"
              />
            )}
            {can(project, "issues:read") && (
              <>
                <Item
                  to="/projects/$projectKey/board"
                  projectKey={key}
                  icon={SquareKanban}
                  label="Board"
                  command="goBoard"
                />
                <Item
                  to="/projects/$projectKey/issues"
                  projectKey={key}
                  icon={KIND_ICONS.issue}
                  label="Issues"
                  command="goList"
                />
                <Item
                  to="/projects/$projectKey/sprints"
                  projectKey={key}
                  icon={Timer}
                  label="Sprints"
                  command="goSprint"
                />
              </>
            )}
            {can(project, "epics:read") && (
              <Item
                to="/projects/$projectKey/epics"
                projectKey={key}
                icon={KIND_ICONS.epic}
                label="Epics"
                command="goEpics"
              />
            )}
            <Item
              to="/projects/$projectKey/settings"
              projectKey={key}
              icon={Settings}
              label="Settings"
              command="goSettings"
            />
          </ul>
        </section>
      )}
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
}

/** Read by screen readers, but not shown while the sidebar is narrow. */
const WIDE_ONLY = "md:in-data-[sidebar=narrow]:sr-only";

const ITEM =
  "text-text-2 hover:bg-hover hover:text-text flex h-8 w-full items-center gap-2 rounded-md px-2 text-left aria-[current=page]:bg-selected aria-[current=page]:text-text aria-[current=page]:font-medium";

type Target =
  | "/"
  | "/notifications"
  | "/my-issues"
  | "/errors"
  | "/projects/$projectKey"
  | `/projects/$projectKey/${"triage" | "errors" | "releases" | "board" | "issues" | "epics" | "sprints" | "settings"}`;

type ItemProps = {
  to: Target;
  projectKey?: string;
  icon: LucideIcon;
  label: string;
  command?: CommandId;
  children?: ReactNode;
};

function Item({ to, projectKey = "", icon, label, command, children }: ItemProps) {
  const isView = use(IsView);
  return (
    <li>
      <SidebarLink
        to={to}
        params={{ projectKey }}
        activeOptions={{ exact: EXACT.has(to) }}
        current={isView ? false : undefined}
        className={ITEM}
      >
        <Content icon={icon} label={label} command={command} />
        {children}
      </SidebarLink>
    </li>
  );
}

/** Pages whose address begins the addresses of others. */
const EXACT = new Set<Target>(["/", "/projects/$projectKey"]);

/** The number of things that wait on a page; nothing if there are none. */
function Waiting({ count = null, unit }: { count: number | null | undefined; unit: string }) {
  return (
    count !== null &&
    count > 0 && (
      <span className={`text-text-3 ml-auto text-xs ${WIDE_ONLY}`}>
        {compactCount(count)}
        <span className="sr-only"> {unit}</span>
      </span>
    )
  );
}

function Content({
  icon: Icon,
  label,
  command,
}: {
  icon: LucideIcon;
  label: string;
  command: CommandId | undefined;
}) {
  const keys = command && keycaps(CATALOG[command].keys).join(" ");
  return (
    <span className="flex items-center gap-2" title={keys && `${label} (${keys})`}>
      <Icon aria-hidden size={16} strokeWidth={1.75} className="shrink-0" />
      <span className={WIDE_ONLY}>{label}</span>
    </span>
  );
}

function PersonMenu() {
  const profile = useProfile();
  const workspaces = useWorkspaces();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const settings = workspaces.map((workspace) => ({
    label: workspaces.length > 1 ? `${workspace.name}: settings` : "Workspace settings",
    icon: <Settings size={16} />,
    onSelect: () =>
      void navigate({
        to: "/workspaces/$workspaceId/settings",
        params: { workspaceId: String(workspace.id) },
      }),
  }));
  return (
    <Menu
      label="Account and workspace"
      trigger={
        <button type="button" className={ITEM}>
          <Avatar person={profile} size={20} />
          <span dir="auto" className={`truncate ${WIDE_ONLY}`}>
            {nameOf(profile)}
          </span>
        </button>
      }
      items={[
        {
          label: "Profile and tokens",
          icon: <CircleUser size={16} />,
          onSelect: () => void navigate({ to: "/settings/profile" }),
        },
        {
          label: "Notification preferences",
          icon: <Inbox size={16} />,
          onSelect: () => void navigate({ to: "/settings/notifications" }),
        },
        ...settings,
        {
          label: "New project",
          icon: <Plus size={16} />,
          onSelect: () => openDialog({ kind: "new-project" }),
        },
        { label: "Keyboard shortcuts", shortcut: "?", onSelect: () => openDialog({ kind: "shortcuts" }) },
        { label: "API reference", onSelect: () => void window.open("/reference", "_blank", "noopener") },
        "separator",
        { label: "Sign out", onSelect: () => signOut.mutate() },
      ]}
    />
  );
}
