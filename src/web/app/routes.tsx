import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, notFound, Outlet, redirect } from "@tanstack/react-router";
import { ApiError } from "../api/client.ts";
import { lazyPart } from "../kit/lazy-part.tsx";
import { NotFoundPage } from "../page/not-found.tsx";
import { start } from "../data/boot.ts";
import { forgetCopies } from "../data/cache/copies.ts";
import { profileQuery, setupQuery } from "../data/account/session.ts";
import { findProject, projectsQuery, useProjectIfAny } from "../data/projects/projects.ts";
import { rememberProject } from "../data/projects/recent-projects.ts";
import { signInSearch } from "../session/sign-in-search.ts";
import { routesOf } from "./page-routes.ts";
import { APP_PAGES, PROJECT, PROJECT_PAGES, PUBLIC_PAGES } from "./pages.ts";
import { AppError, PendingFrame } from "./route-states.tsx";

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Outlet,
});

/** The frame of people who are signed in. */
const app = createRoute({
  getParentRoute: () => root,
  id: "app",
  pendingComponent: PendingFrame,
  errorComponent: AppError,
  beforeLoad: async ({ context: { queryClient }, location, params }) => {
    const { projectKey } = params as { projectKey?: string };
    try {
      if (queryClient.getQueryData(projectsQuery.queryKey) === undefined)
        await start(queryClient, projectKey);
      const [profile] = await Promise.all([
        queryClient.ensureQueryData(profileQuery),
        queryClient.ensureQueryData(projectsQuery),
      ]);
      return { profile };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      await forgetCopies();
      const { required } = await queryClient.fetchQuery(setupQuery);
      throw required
        ? redirect({ to: "/setup" })
        : redirect({ to: "/sign-in", search: signInSearch(location.href) });
    }
  },
  component: lazyPart(async () => (await import("./shell.tsx")).Shell),
});

const project = createRoute({
  getParentRoute: () => app,
  path: PROJECT,
  beforeLoad: async ({ context: { queryClient }, params: { projectKey }, preload }) => {
    const known = findProject(await queryClient.ensureQueryData(projectsQuery), projectKey);
    // Preloading a hovered link does not count as a visit.
    if (preload) return;
    // The user may just have been given access.
    const project =
      known ?? findProject(await queryClient.fetchQuery({ ...projectsQuery, staleTime: 0 }), projectKey);
    if (!project) throw notFound();
    rememberProject(project.key);
  },
  component: ProjectLayout,
});

/** Within this layout, `useProject()` returns the project named in the URL, which exists and is accessible. */
function ProjectLayout() {
  const project = useProjectIfAny();
  // Access may be lost while the page is open.
  if (project === undefined) return <NotFoundPage />;
  // Remount for another project, so that no filter, draft or selection is carried over.
  return <Outlet key={project.id} />;
}

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
  ...routesOf(root, PUBLIC_PAGES),
  ...gallery,
  app.addChildren([
    ...routesOf(app, APP_PAGES),
    project.addChildren(routesOf(project, PROJECT_PAGES)),
    nowhere,
  ]),
]);
