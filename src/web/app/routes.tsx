import { createRoute, notFound, redirect } from "@tanstack/react-router";
import type { Project } from "../../shared/projects.ts";
import { ApiError } from "../api/client.ts";
import { lazyPart } from "../kit/lazy-part.tsx";
import { NotFoundPage } from "../page/not-found.tsx";
import { texts } from "../page/search-params.ts";
import { boot } from "../data/boot.ts";
import { profileQuery, setupQuery } from "../data/session.ts";
import { projectsQuery } from "../data/projects.ts";
import { rememberProject } from "../data/recent-projects.ts";
import { FILTERS } from "../issues/filter-names.ts";
import { signInSearch } from "../session/sign-in-search.ts";
import * as firstData from "./first-data.ts";
import { ProjectLayout } from "./project-layout.tsx";
import { publicRoutes, root } from "./public-routes.tsx";
import { AppError, PendingFrame } from "./route-states.tsx";

/** The URLs that need a session, and the tree of all. A page's code loads when it is opened, when its link is hovered, or when the app is idle. */

/** Filters and order of a list of errors. */
const ERROR_VIEW = [
  ...(["tab", "query", "environment", "release", "level", "assignee"] as const),
  ...(["regressed", "first_release", "tag", "sort", "direction"] as const),
];

/** The board shows all lanes. */
const BOARD_FILTERS = FILTERS.filter((name) => name !== "lane");

// ————— Signed in

const app = createRoute({
  getParentRoute: () => root,
  id: "app",
  pendingComponent: PendingFrame,
  errorComponent: AppError,
  beforeLoad: async ({ context: { queryClient }, location, params }) => {
    const { projectKey } = params as { projectKey?: string };
    try {
      if (queryClient.getQueryData(projectsQuery.queryKey) === undefined) await boot(queryClient, projectKey);
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
        : redirect({ to: "/sign-in", search: signInSearch(location.href) });
    }
  },
  component: lazyPart(async () => (await import("./shell.tsx")).Shell),
});

const home = createRoute({
  getParentRoute: () => app,
  path: "/",
  component: lazyPart(async () => (await import("../home/home-page.tsx")).HomePage),
});

const inbox = createRoute({
  getParentRoute: () => app,
  path: "/notifications",
  validateSearch: texts("filter", "type", "project", "item"),
  component: lazyPart(async () => (await import("../inbox/inbox-page.tsx")).InboxPage),
});

const myIssues = createRoute({
  getParentRoute: () => app,
  path: "/my-issues",
  validateSearch: texts("group", "sort", "query", "state", "type", "priority", "due", "peek"),
  component: lazyPart(async () => (await import("../issues/my-issues-page.tsx")).MyIssuesPage),
});

const allErrors = createRoute({
  getParentRoute: () => app,
  path: "/errors",
  validateSearch: texts(...ERROR_VIEW, "project", "peek"),
  component: lazyPart(async () => (await import("../errors/all-errors-page.tsx")).AllErrorsPage),
});

const search = createRoute({
  getParentRoute: () => app,
  path: "/search",
  validateSearch: texts("query", "kind", "project", "state", "author"),
  component: lazyPart(async () => (await import("../search/search-page.tsx")).SearchPage),
});

const profile = createRoute({
  getParentRoute: () => app,
  path: "/settings/profile",
  validateSearch: texts("section", "error"),
  component: lazyPart(async () => (await import("../profile/profile-page.tsx")).ProfilePage),
});

const preferences = createRoute({
  getParentRoute: () => app,
  path: "/settings/notifications",
  component: lazyPart(async () => (await import("../inbox/preferences-page.tsx")).PreferencesPage),
});

const workspace = createRoute({
  getParentRoute: () => app,
  path: "/workspaces/$workspaceId/settings",
  validateSearch: texts("section", "kind", "actor", "since", "until", "query", "state"),
  component: lazyPart(
    async () => (await import("../workspaces/workspace-settings-page.tsx")).WorkspaceSettingsPage,
  ),
});

// ————— In a project

const project = createRoute({
  getParentRoute: () => app,
  path: "/projects/$projectKey",
  beforeLoad: async ({ context: { queryClient }, params: { projectKey }, preload }) => {
    const named = ({ key, id }: Project) => key === projectKey || String(id) === projectKey;
    const known = (await queryClient.ensureQueryData(projectsQuery)).find(named);
    // Preloading a hovered link does not count as a visit.
    if (preload) return;
    // The user may just have been given access.
    const project = known ?? (await queryClient.fetchQuery({ ...projectsQuery, staleTime: 0 })).find(named);
    if (!project) throw notFound();
    rememberProject(project.key);
  },
  component: ProjectLayout,
});

const projectHome = createRoute({
  getParentRoute: () => project,
  path: "/",
  component: lazyPart(async () => (await import("../projects/project-home-page.tsx")).ProjectHomePage),
});

const triage = createRoute({
  getParentRoute: () => project,
  path: "triage",
  ...firstData.reports,
  validateSearch: texts("view", "query", "report"),
  component: lazyPart(async () => (await import("../reports/triage-page.tsx")).TriagePage),
});

const report = createRoute({
  getParentRoute: () => project,
  path: "reports/$reportId",
  ...firstData.report,
  component: lazyPart(async () => (await import("../reports/report-page.tsx")).ReportPage),
});

const errors = createRoute({
  getParentRoute: () => project,
  path: "errors",
  validateSearch: texts(...ERROR_VIEW, "peek"),
  ...firstData.errors,
  component: lazyPart(async () => (await import("../errors/errors-page.tsx")).ErrorsPage),
});

const errorGroup = createRoute({
  getParentRoute: () => project,
  path: "errors/$errorGroupId",
  ...firstData.error,
  // The list the user came from, for back, next and previous. `from=all` is the list across all projects.
  validateSearch: texts("from", ...ERROR_VIEW, "project", "show", "event"),
  component: lazyPart(async () => (await import("../errors/error-group-page.tsx")).ErrorGroupPage),
});

const releases = createRoute({
  getParentRoute: () => project,
  path: "releases",
  component: lazyPart(async () => (await import("../releases/releases-page.tsx")).ReleasesPage),
});

const release = createRoute({
  getParentRoute: () => project,
  path: "releases/$version",
  component: lazyPart(async () => (await import("../releases/release-page.tsx")).ReleasePage),
});

/** A release whose name may not be in a path, such as "..". */
const namedRelease = createRoute({
  getParentRoute: () => project,
  path: "release",
  validateSearch: texts("version"),
  component: lazyPart(async () => (await import("../releases/release-page.tsx")).ReleasePage),
});

const board = createRoute({
  getParentRoute: () => project,
  path: "board",
  ...firstData.issues,
  validateSearch: texts("group", ...BOARD_FILTERS),
  component: lazyPart(async () => (await import("../board/board-page.tsx")).BoardPage),
});

const issues = createRoute({
  getParentRoute: () => project,
  path: "issues",
  ...firstData.issues,
  validateSearch: texts("group", "sort", ...FILTERS, "state", "peek"),
  component: lazyPart(async () => (await import("../issues/issues-page.tsx")).IssuesPage),
});

const issue = createRoute({
  getParentRoute: () => project,
  path: "issues/$issueKey",
  validateSearch: texts("tab"),
  ...firstData.issue,
  component: lazyPart(async () => (await import("../issues/issue-page/issue-page.tsx")).IssuePage),
});

const epics = createRoute({
  getParentRoute: () => project,
  path: "epics",
  validateSearch: texts("state", "owner", "view"),
  component: lazyPart(async () => (await import("../epics/epics-page.tsx")).EpicsPage),
});

const epic = createRoute({
  getParentRoute: () => project,
  path: "epics/$epicId",
  validateSearch: texts("peek"),
  component: lazyPart(async () => (await import("../epics/epic-page.tsx")).EpicPage),
});

const sprints = createRoute({
  getParentRoute: () => project,
  path: "sprints",
  component: lazyPart(async () => (await import("../sprints/sprints-page.tsx")).SprintsPage),
});

const sprint = createRoute({
  getParentRoute: () => project,
  path: "sprints/$sprintId",
  validateSearch: texts("peek"),
  component: lazyPart(async () => (await import("../sprints/sprint-page.tsx")).SprintPage),
});

const sprintPlan = createRoute({
  getParentRoute: () => project,
  path: "sprints/$sprintId/plan",
  component: lazyPart(async () => (await import("../sprints/plan-page.tsx")).PlanPage),
});

const projectSettings = createRoute({
  getParentRoute: () => project,
  path: "settings",
  validateSearch: texts("section"),
  component: lazyPart(
    async () => (await import("../projects/settings/project-settings-page.tsx")).ProjectSettingsPage,
  ),
});

/** An unknown URL, inside the frame. */
const nowhere = createRoute({ getParentRoute: () => app, path: "$", component: NotFoundPage });

/** Every component of the kit in all its states, in development only. */
const gallery = import.meta.env.DEV
  ? [
      createRoute({
        getParentRoute: () => root,
        path: "/_gallery",
        component: lazyPart(async () => (await import("../gallery/gallery.tsx")).Gallery),
      }),
    ]
  : [];

export const routeTree = root.addChildren([
  ...publicRoutes,
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
      releases,
      release,
      namedRelease,
      board,
      issues,
      issue,
      epics,
      epic,
      sprints,
      sprint,
      sprintPlan,
      projectSettings,
    ]),
    nowhere,
  ]),
]);
