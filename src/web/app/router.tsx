import { createRouter } from "@tanstack/react-router";
import { queryClient } from "../api/query-client.ts";
import { parseSearch, stringifySearch } from "../api/search-params.ts";
import { NotFoundPage, RouteError } from "./route-states.tsx";
import { routeTree } from "./routes.tsx";

export const router = createRouter({
  routeTree,
  context: { queryClient },
  parseSearch,
  stringifySearch,
  defaultPreload: "intent",
  // The cache is the query client's.
  defaultPreloadStaleTime: 0,
  defaultPreloadDelay: 80,
  scrollRestoration: true,
  defaultNotFoundComponent: NotFoundPage,
  defaultErrorComponent: RouteError,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
