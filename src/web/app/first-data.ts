import type { QueryClient } from "@tanstack/react-query";
import { hasRequested } from "../api/client.ts";
import { hasCopies, loadCopies } from "../data/cache/copies.ts";
import { projectsQuery } from "../data/projects/projects.ts";
import type { Page } from "./pages.ts";

type Of = { context: { queryClient: QueryClient }; params: Partial<Record<string, string>> };

/** How long the first page waits for its data, in milliseconds. */
const MAX_WAIT_MS = 1_000;

let isFirst = true;

/**
 * The loader of a page whose data the HTML has requested, or which this browser has copies of. The first page is rendered once, with
 * its code and data, instead of without data before. Any other page immediately shows what is cached.
 */
export function firstData({ load }: Page) {
  const loader = async ({ context: { queryClient }, params }: Of): Promise<void> => {
    const projects = queryClient.getQueryData(projectsQuery.queryKey);
    const project = projects?.find(({ key }) => key === params["projectKey"]);
    if (load === undefined || project === undefined) return;
    const read = () => load(queryClient, project.id, params);
    if (hasCopies() ? !isFirst : !hasRequested()) return;
    isFirst = false;
    // The page reads the same, and shows errors.
    const done = hasCopies() ? loadCopies(read) : read().catch(() => {});
    await Promise.race([done, new Promise((resolve) => void setTimeout(resolve, MAX_WAIT_MS))]);
  };
  return load && { loader, shouldReload: false };
}
