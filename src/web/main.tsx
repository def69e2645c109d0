import "./styles/app.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./data/cache/query-client.ts";
import { router } from "./app/router.tsx";
import { listenKeys } from "./keys/commands.ts";
import { Tooltips } from "./kit/tooltips.tsx";

listenKeys(document);

const root = document.getElementById("app");
if (root) void start(root);

/** Not awaited by this module: pages import code from its file. */
async function start(element: HTMLElement): Promise<void> {
  loadCode();
  // Until the page has its code and data, the HTML's own frame stays.
  await router.load();
  createRoot(element).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Tooltips />
      </QueryClientProvider>
    </StrictMode>,
  );
}

/** Loads the page's code while its data is read. The router itself first waits for the data of the frame. */
function loadCode(): void {
  const [routes] = router.getMatchedRoutes(router.latestLocation.pathname);
  for (const route of routes)
    // The router reports what fails.
    router.loadRouteChunk(route)?.catch(() => {});
}
