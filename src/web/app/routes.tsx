import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import type { QueryClient } from "@tanstack/react-query";
import type { Project } from "../../shared/projects.ts";
import { ApiError } from "../api/client.ts";
import { texts } from "../page/search-params.ts";
import { profileQuery, setupQuery } from "../data/session.ts";
import { projectsQuery } from "../data/projects.ts";
import { rememberProject } from "../data/recent-projects.ts";
import { ProjectLayout } from "./project-layout.tsx";
import { NowherePage } from "./route-states.tsx";
import { Shell } from "./shell.tsx";

/** Every address of the app, on one page. A page's code is loaded when it is first opened, or pointed at. */

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NowherePage,
});

// ————— Without signing in

const setup = createRoute({
  getParentRoute: () => root,
  path: "/setup",
  validateSearch: texts("token", "step", "project"),
  component: lazyRouteComponent(() => import("../setup/setup-page.tsx"), "SetupPage"),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: texts("return_to", "error"),
  component: lazyRouteComponent(() => import("../session/sign-in-page.tsx"), "SignInPage"),
});

const forgot = createRoute({
  getParentRoute: () => root,
  path: "/password/forgot",
  component: lazyRouteComponent(() => import("../session/forgot-page.tsx"), "ForgotPage"),
});

const reset = createRoute({
  getParentRoute: () => root,
  path: "/password/reset",
  validateSearch: texts("token"),
  component: lazyRouteComponent(() => import("../session/reset-page.tsx"), "ResetPage"),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: "/invitations/$token",
  component: lazyRouteComponent(() => import("../session/invitation-page.tsx"), "InvitationPage"),
});

// ————— Signed in

const app = createRoute({
  getParentRoute: () => root,
  id: "app",
  beforeLoad: async ({ context: { queryClient }, location }) => {
    try {
      const [profile] = await Promise.all([
        queryClient.ensureQueryData(profileQuery),
        queryClient.ensureQueryData(projectsQuery),
      ]);
      return { profile };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      const { required } = await queryClient.fetchQuery(setupQuery);
      throw required
        ? redirect({ to: "/setup" })
        : redirect({ to: "/sign-in", search: location.href === "/" ? {} : { return_to: location.href } });
    }
  },
  component: Shell,
});

const home = createRoute({
  getParentRoute: () => app,
  path: "/",
  component: lazyRouteComponent(() => import("../projects/home-page.tsx"), "HomePage"),
});

const inbox = createRoute({
  getParentRoute: () => app,
  path: "/notifications",
  validateSearch: texts("filter", "type", "project", "item"),
  component: lazyRouteComponent(() => import("../inbox/inbox-page.tsx"), "InboxPage"),
});

const myIssues = createRoute({
  getParentRoute: () => app,
  path: "/my-issues",
  validateSearch: texts("group", "sort", "query", "state", "type", "priority", "peek"),
  component: lazyRouteComponent(() => import("../issues/my-issues-page.tsx"), "MyIssuesPage"),
});

const allErrors = createRoute({
  getParentRoute: () => app,
  path: "/errors",
  validateSearch: texts("tab", "query", "environment", "project", "release", "sort", "peek"),
  component: lazyRouteComponent(() => import("../errors/all-errors-page.tsx"), "AllErrorsPage"),
});

const search = createRoute({
  getParentRoute: () => app,
  path: "/search",
  validateSearch: texts("query", "kind", "project"),
  component: lazyRouteComponent(() => import("../search/search-page.tsx"), "SearchPage"),
});

const profile = createRoute({
  getParentRoute: () => app,
  path: "/settings/profile",
  validateSearch: texts("section", "error"),
  component: lazyRouteComponent(() => import("../profile/profile-page.tsx"), "ProfilePage"),
});

const preferences = createRoute({
  getParentRoute: () => app,
  path: "/settings/notifications",
  component: lazyRouteComponent(() => import("../inbox/preferences-page.tsx"), "PreferencesPage"),
});

const workspace = createRoute({
  getParentRoute: () => app,
  path: "/workspaces/$workspaceId/settings",
  validateSearch: texts("section", "kind", "actor", "since", "until", "query", "state"),
  component: lazyRouteComponent(
    () => import("../workspaces/workspace-settings-page.tsx"),
    "WorkspaceSettingsPage",
  ),
});

// ————— In a project

const project = createRoute({
  getParentRoute: () => app,
  path: "/projects/$projectKey",
  beforeLoad: async ({ context: { queryClient }, params: { projectKey }, preload }) => {
    const named = ({ key, id }: Project) => key === projectKey || String(id) === projectKey;
    const known = (await queryClient.ensureQueryData(projectsQuery)).find(named);
    // A link that is pointed at was not opened.
    if (preload) return;
    // It may have been given to the person a moment ago.
    const project = known ?? (await queryClient.fetchQuery({ ...projectsQuery, staleTime: 0 })).find(named);
    if (!project) throw notFound();
    rememberProject(project.key);
  },
  component: ProjectLayout,
});

const projectHome = createRoute({
  getParentRoute: () => project,
  path: "/",
  component: lazyRouteComponent(() => import("../projects/project-home-page.tsx"), "ProjectHomePage"),
});

const triage = createRoute({
  getParentRoute: () => project,
  path: "triage",
  validateSearch: texts("view", "query", "report"),
  component: lazyRouteComponent(() => import("../reports/triage-page.tsx"), "TriagePage"),
});

const report = createRoute({
  getParentRoute: () => project,
  path: "reports/$reportId",
  component: lazyRouteComponent(() => import("../reports/report-page.tsx"), "ReportPage"),
});

const errors = createRoute({
  getParentRoute: () => project,
  path: "errors",
  validateSearch: texts("tab", "query", "environment", "release", "sort", "peek"),
  component: lazyRouteComponent(() => import("../errors/errors-page.tsx"), "ErrorsPage"),
});

const errorGroup = createRoute({
  getParentRoute: () => project,
  path: "errors/$errorGroupId",
  // The list one comes from, for the way back and for next and previous; `from=all`: that of all projects.
  validateSearch: texts("from", "tab", "query", "environment", "release", "project", "sort"),
  component: lazyRouteComponent(() => import("../errors/error-group-page.tsx"), "ErrorGroupPage"),
});

const board = createRoute({
  getParentRoute: () => project,
  path: "board",
  validateSearch: texts("group", "query", "assignee", "label", "epic", "sprint", "type", "priority"),
  component: lazyRouteComponent(() => import("../board/board-page.tsx"), "BoardPage"),
});

const issues = createRoute({
  getParentRoute: () => project,
  path: "issues",
  validateSearch: texts(
    "group",
    "sort",
    "query",
    "assignee",
    "label",
    "epic",
    "sprint",
    "type",
    "priority",
    "lane",
    "state",
    "peek",
  ),
  component: lazyRouteComponent(() => import("../issues/issues-page.tsx"), "IssuesPage"),
});

const issue = createRoute({
  getParentRoute: () => project,
  path: "issues/$issueKey",
  validateSearch: texts("tab"),
  component: lazyRouteComponent(() => import("../issues/issue-page/issue-page.tsx"), "IssuePage"),
});

const epics = createRoute({
  getParentRoute: () => project,
  path: "epics",
  validateSearch: texts("state"),
  component: lazyRouteComponent(() => import("../epics/epics-page.tsx"), "EpicsPage"),
});

const epic = createRoute({
  getParentRoute: () => project,
  path: "epics/$epicId",
  validateSearch: texts("peek"),
  component: lazyRouteComponent(() => import("../epics/epic-page.tsx"), "EpicPage"),
});

const sprints = createRoute({
  getParentRoute: () => project,
  path: "sprints",
  component: lazyRouteComponent(() => import("../sprints/sprints-page.tsx"), "SprintsPage"),
});

const sprint = createRoute({
  getParentRoute: () => project,
  path: "sprints/$sprintId",
  validateSearch: texts("peek"),
  component: lazyRouteComponent(() => import("../sprints/sprint-page.tsx"), "SprintPage"),
});

const projectSettings = createRoute({
  getParentRoute: () => project,
  path: "settings",
  validateSearch: texts("section"),
  component: lazyRouteComponent(
    () => import("../projects/settings/project-settings-page.tsx"),
    "ProjectSettingsPage",
  ),
});

/** Every part of the kit in its states, while one works on it. */
const gallery = import.meta.env.DEV
  ? [
      createRoute({
        getParentRoute: () => root,
        path: "/_gallery",
        component: lazyRouteComponent(() => import("../gallery/gallery.tsx"), "Gallery"),
      }),
    ]
  : [];

export const routeTree = root.addChildren([
  setup,
  signIn,
  forgot,
  reset,
  invitation,
  ...gallery,
  app.addChildren([
    home,
    inbox,
    myIssues,
    allErrors,
    search,
    profile,
    preferences,
    workspace,
    project.addChildren([
      projectHome,
      triage,
      report,
      errors,
      errorGroup,
      board,
      issues,
      issue,
      epics,
      epic,
      sprints,
      sprint,
      projectSettings,
    ]),
  ]),
]);
