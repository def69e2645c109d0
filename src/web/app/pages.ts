import type { QueryClient } from "@tanstack/react-query";
import type { ComponentType } from "react";
import { FILTERS } from "../issues/filter-names.ts";

/**
 * Every page of the web app is one row here. The routes, the requests and code that the server's HTML preloads, the first
 * data and the grouping of the code follow from it. The build imports this file, so it imports only values.
 */
export type Page = {
  /** As in a route: `$name` is a parameter. */
  path: string;
  code: () => Promise<ComponentType>;
  /** The names of its search parameters. */
  search: readonly string[];
  /** Whether its code is part of the app's first file. */
  isInFirstFile?: boolean;
  /**
   * What the page requests first, besides the boot request: for any search, or by search. It must equal the URL that the page
   * requests, but for the project's key instead of its id.
   */
  request?: string | { readonly [search: string]: string };
  /** Reads what `request` has requested, so that the first page is rendered once, with its data. */
  load?: (client: QueryClient, projectId: number, params: Params) => Promise<void>;
};

type Params = Partial<Record<string, string>>;

/** The path of the pages of a project, before their own. */
export const PROJECT = "/projects/$projectKey";

/** Filters and order of a list of errors. */
const ERROR_VIEW = [
  ...(["tab", "query", "environment", "release", "level", "assignee"] as const),
  ...(["regressed", "first_release", "tag", "sort", "direction"] as const),
] as const;

/** The board shows all lanes. */
const BOARD_FILTERS = FILTERS.filter((name) => name !== "lane");

/** The list and the board read all issues and filter them on the page. */
const ALL_ISSUES = {
  request: `/api${PROJECT}/issues?sort=-created_at&limit=200`,
  load: async (client: QueryClient, projectId: number) => {
    const { allIssuesQuery } = await import("../data/issues/issues.ts");
    await client.prefetchQuery(allIssuesQuery(projectId));
  },
};

/** Pages that need no session. */
export const PUBLIC_PAGES = {
  setup: {
    path: "/setup",
    search: ["token", "step", "project"],
    code: async () => (await import("../setup/setup-page.tsx")).SetupPage,
  },
  signIn: {
    path: "/sign-in",
    search: ["return_to", "error", "ended"],
    code: async () => (await import("../session/sign-in-page.tsx")).SignInPage,
    isInFirstFile: true,
  },
  forgot: {
    path: "/password/forgot",
    search: [],
    code: async () => (await import("../session/forgot-page.tsx")).ForgotPage,
    isInFirstFile: true,
  },
  reset: {
    path: "/password/reset",
    search: ["token"],
    code: async () => (await import("../session/reset-page.tsx")).ResetPage,
    isInFirstFile: true,
  },
  confirmAddress: {
    path: "/confirm-address",
    search: ["token"],
    code: async () => (await import("../session/confirm-address-page.tsx")).ConfirmAddressPage,
  },
  invitation: {
    path: "/invitations/$token",
    search: [],
    code: async () => (await import("../session/invitation-page.tsx")).InvitationPage,
    isInFirstFile: true,
  },
  authorize: {
    path: "/oauth/authorize",
    search: [
      ...(["client_id", "redirect_uri", "response_type", "code_challenge"] as const),
      ...(["code_challenge_method", "resource", "scope", "state"] as const),
    ],
    code: async () => (await import("../oauth/authorize-page.tsx")).AuthorizePage,
  },
  reference: {
    path: "/reference",
    search: ["operation", "query"],
    code: async () => (await import("../reference/reference-page.tsx")).ReferencePage,
  },
} as const satisfies Record<string, Page>;

/** Pages in the frame, outside of projects. */
export const APP_PAGES = {
  home: {
    path: "/",
    search: [],
    code: async () => (await import("../home/home-page.tsx")).HomePage,
  },
  inbox: {
    path: "/notifications",
    search: ["filter", "type", "project", "item"],
    code: async () => (await import("../inbox/inbox-page.tsx")).InboxPage,
    request: {
      "": "/api/notifications?limit=100&include=all&unread=true",
      "?filter=all": "/api/notifications?limit=100&include=all",
    },
  },
  myIssues: {
    path: "/my-issues",
    search: ["group", "sort", "query", "state", "type", "priority", "due", "peek"],
    code: async () => (await import("../issues/my-issues-page.tsx")).MyIssuesPage,
  },
  allErrors: {
    path: "/errors",
    search: [...ERROR_VIEW, "project", "peek"],
    code: async () => (await import("../errors/list/all-errors-page.tsx")).AllErrorsPage,
  },
  shortcut: {
    path: "/shortcuts/$shortcut",
    search: [],
    code: async () => (await import("../home/shortcut-page.tsx")).ShortcutPage,
  },
  share: {
    path: "/share",
    search: ["title", "text", "url", "kept", "lost"],
    code: async () => (await import("../reports/share-page.tsx")).SharePage,
  },
  search: {
    path: "/search",
    search: ["query", "kind", "project", "state", "author"],
    code: async () => (await import("../search/search-page.tsx")).SearchPage,
  },
  profile: {
    path: "/settings/profile",
    search: ["section", "error"],
    code: async () => (await import("../profile/profile-page.tsx")).ProfilePage,
  },
  preferences: {
    path: "/settings/notifications",
    search: [],
    code: async () => (await import("../inbox/preferences-page.tsx")).PreferencesPage,
  },
  workspace: {
    path: "/workspaces/$workspaceId/settings",
    search: ["section", "kind", "actor", "since", "until", "query", "state"],
    code: async () => (await import("../workspaces/workspace-settings-page.tsx")).WorkspaceSettingsPage,
  },
  workspaceConnect: {
    path: "/workspaces/$workspaceId/settings/connect/$service",
    search: [],
    code: async () => (await import("../integrations/connect/connect-page.tsx")).ConnectPage,
  },
  workspaceWebhook: {
    path: "/workspaces/$workspaceId/settings/webhooks/$webhookId",
    search: ["status", "event"],
    code: async () => (await import("../integrations/webhooks/webhook-page.tsx")).WebhookPage,
  },
} as const satisfies Record<string, Page>;

/** Pages of a project. Their paths follow the project's. */
export const PROJECT_PAGES = {
  overview: {
    path: "/",
    search: [],
    code: async () => (await import("../projects/project-home-page.tsx")).ProjectHomePage,
  },
  triage: {
    path: "/triage",
    search: ["view", "query", "kind", "sort", "report"],
    code: async () => (await import("../reports/triage-page.tsx")).TriagePage,
    request: `/api${PROJECT}/reports`,
    load: async (client, projectId) => {
      const { reportsQuery } = await import("../data/reports/reports.ts");
      await client.prefetchQuery(reportsQuery(projectId));
    },
  },
  report: {
    path: "/reports/$reportId",
    search: [],
    code: async () => (await import("../reports/report-page.tsx")).ReportPage,
    request: `/api${PROJECT}/reports/$reportId`,
    load: async (client, projectId, { reportId = "" }) => {
      const { reportQuery } = await import("../data/reports/reports.ts");
      await client.prefetchQuery(reportQuery(projectId, reportId));
    },
  },
  errors: {
    path: "/errors",
    search: [...ERROR_VIEW, "peek"],
    code: async () => (await import("../errors/list/errors-page.tsx")).ErrorsPage,
    // The server applies the filters.
    request: { "": `/api${PROJECT}/error-groups` },
    load: async (client, projectId) => {
      const { errorGroupsQuery } = await import("../data/errors/error-groups.ts");
      await client.prefetchInfiniteQuery(errorGroupsQuery(projectId));
    },
  },
  errorGroup: {
    path: "/errors/$errorGroupId",
    // The list the user came from, for back, next and previous. `from=all` is the list across all projects.
    search: ["from", ...ERROR_VIEW, "project", "show", "event"],
    code: async () => (await import("../errors/group/error-group-page.tsx")).ErrorGroupPage,
    request: `/api${PROJECT}/error-groups/$errorGroupId`,
    load: async (client, projectId, { errorGroupId }) => {
      const { errorGroupQuery } = await import("../data/errors/error-groups.ts");
      await client.prefetchQuery(errorGroupQuery(projectId, Number(errorGroupId)));
    },
  },
  releases: {
    path: "/releases",
    search: ["environment"],
    code: async () => (await import("../releases/releases-page.tsx")).ReleasesPage,
  },
  release: {
    path: "/releases/$version",
    search: ["environment"],
    code: async () => (await import("../releases/release-page.tsx")).ReleasePage,
  },
  /** A release whose name may not be in a path, such as "..". */
  namedRelease: {
    path: "/release",
    search: ["version", "environment"],
    code: async () => (await import("../releases/release-page.tsx")).ReleasePage,
  },
  monitors: {
    path: "/monitors",
    search: ["tab"],
    code: async () => (await import("../monitors/monitors-page.tsx")).MonitorsPage,
    request: `/api${PROJECT}/monitors?limit=200`,
    load: async (client, projectId) => {
      const { monitorsQuery } = await import("../data/monitors/monitors.ts");
      await client.prefetchQuery(monitorsQuery(projectId));
    },
  },
  monitor: {
    path: "/monitors/$slug",
    search: ["environment", "status"],
    code: async () => (await import("../monitors/monitor-page.tsx")).MonitorPage,
    request: `/api${PROJECT}/monitors/$slug`,
    load: async (client, projectId, { slug = "" }) => {
      const { monitorQuery } = await import("../data/monitors/monitors.ts");
      await client.prefetchQuery(monitorQuery(projectId, slug));
    },
  },
  board: {
    path: "/board",
    search: ["group", ...BOARD_FILTERS],
    code: async () => (await import("../board/board-page.tsx")).BoardPage,
    ...ALL_ISSUES,
  },
  issues: {
    path: "/issues",
    search: ["group", "sort", ...FILTERS, "state", "peek"],
    code: async () => (await import("../issues/issues-page.tsx")).IssuesPage,
    ...ALL_ISSUES,
  },
  issue: {
    path: "/issues/$issueKey",
    search: ["tab"],
    code: async () => (await import("../issues/issue-page/issue-page.tsx")).IssuePage,
    request: `/api${PROJECT}/issues/$issueKey`,
    load: async (client, projectId, { issueKey = "" }) => {
      const { issueQuery } = await import("../data/issues/issues.ts");
      await client.prefetchQuery(issueQuery(projectId, issueKey));
    },
  },
  epics: {
    path: "/epics",
    search: ["state", "owner", "view"],
    code: async () => (await import("../epics/epics-page.tsx")).EpicsPage,
  },
  epic: {
    path: "/epics/$epicId",
    search: ["peek"],
    code: async () => (await import("../epics/epic-page.tsx")).EpicPage,
  },
  sprints: {
    path: "/sprints",
    search: [],
    code: async () => (await import("../sprints/sprints-page.tsx")).SprintsPage,
  },
  sprint: {
    path: "/sprints/$sprintId",
    search: ["peek"],
    code: async () => (await import("../sprints/sprint-page.tsx")).SprintPage,
  },
  plan: {
    path: "/sprints/$sprintId/plan",
    search: [],
    code: async () => (await import("../sprints/plan-page.tsx")).PlanPage,
  },
  settings: {
    path: "/settings",
    search: ["section"],
    code: async () => (await import("../projects/settings/project-settings-page.tsx")).ProjectSettingsPage,
  },
  connect: {
    path: "/settings/connect/$service",
    search: [],
    code: async () => (await import("../integrations/connect/connect-page.tsx")).ConnectPage,
  },
  webhook: {
    path: "/settings/webhooks/$webhookId",
    search: ["status", "event"],
    code: async () => (await import("../integrations/webhooks/webhook-page.tsx")).WebhookPage,
  },
} as const satisfies Record<string, Page>;
