import { createRouter } from "@tanstack/react-router";
import { withQuery } from "../api/client.ts";
import { onSignedOut } from "../api/session-end.ts";
import { forgetCopies } from "../data/cache/copies.ts";
import { queryClient } from "../data/cache/query-client.ts";
import { parseSearch, stringifySearch } from "../page/search-params.ts";
import { profileQuery } from "../data/account/session.ts";
import { showCurrentTabs } from "../kit/show-current-tab.ts";
import { signInSearch } from "../session/sign-in-search.ts";
import { NotFoundPage } from "../page/not-found.tsx";
import { RouteError } from "./route-states.tsx";
import { routeTree } from "./routes.tsx";

export const router = createRouter({
  routeTree,
  context: { queryClient },
  parseSearch,
  stringifySearch,
  // Otherwise every component that reads the address is rendered for each step of a navigation.
  defaultStructuralSharing: true,
  defaultPreload: "intent",
  // The query client does the caching.
  defaultPreloadStaleTime: 0,
  defaultPreloadDelay: 80,
  scrollRestoration: true,
  defaultNotFoundComponent: NotFoundPage,
  defaultErrorComponent: RouteError,
});

// In the frame, which lays out the page anyway. Measuring now would do so once more.
router.subscribe("onRendered", () => void requestAnimationFrame(showCurrentTabs));

let isLeaving = false;

/**
 * A session can end while its page is open: after 30 days, by a password change, or from another device. Signing in
 * returns to this URL in a fresh page, which holds no data of the previous user.
 */
onSignedOut(() => {
  if (isLeaving || queryClient.getQueryData(profileQuery.queryKey) === undefined) return;
  isLeaving = true;
  const { href } = router.state.location;
  const leave = () => location.replace(withQuery("/sign-in", signInSearch(href)));
  void forgetCopies().then(leave);
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
