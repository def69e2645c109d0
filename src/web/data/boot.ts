import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { Page } from "../../shared/answers.ts";
import type { Boot } from "../../shared/boot.ts";
import { api, adoptRequests, withQuery } from "../api/client.ts";
import { wasSignedIn } from "../state/was-signed-in.ts";
import { countsQuery } from "./projects/counts.ts";
import { labelsQuery } from "./projects/labels.ts";
import { lanesQuery } from "./projects/lanes.ts";
import { peopleQuery } from "./projects/people.ts";
import { projectsQuery, workspacesQuery } from "./projects/projects.ts";
import { recentProjects } from "./projects/recent-projects.ts";
import { profileQuery } from "./account/session.ts";
import { viewsQuery } from "./projects/saved-views.ts";
import { sprintsQuery } from "./projects/sprints.ts";
import { recountIn, unreadQuery } from "./inbox/unread.ts";

/** Reads what every page needs with one request instead of nine, and puts it into the cache. */
export async function boot(client: QueryClient, projectRef: string | undefined): Promise<void> {
  const all = await api.get<Boot>(bootPath(projectRef));
  wasSignedIn.write(true);
  client.setQueryData(profileQuery.queryKey, all.profile);
  client.setQueryData(unreadQuery.queryKey, all.unread_count);
  recountIn(client, all.next_return_ms);
  // A list with more than one page is read by its own query.
  const put = (queryKey: QueryKey, page: Page<unknown> | null) => {
    if (page?.meta.next_cursor === null) client.setQueryData(queryKey, page.data);
  };
  put(projectsQuery.queryKey, all.projects);
  put(workspacesQuery.queryKey, all.workspaces);
  put(viewsQuery(null).queryKey, all.views);
  if (!all.project) return;
  if (projectRef !== undefined) adoptRequests(projectRef, all.project.id);
  const { id, lanes, labels, sprints, people, epics, counts, views } = all.project;
  put(viewsQuery(id).queryKey, views);
  client.setQueryData(countsQuery(id).queryKey, counts);
  put(lanesQuery(id).queryKey, lanes);
  put(labelsQuery(id).queryKey, labels);
  put(sprintsQuery(id).queryKey, sprints);
  put(peopleQuery(id).queryKey, people);
  // The key of `epicsQuery`, whose module is too large for the first screen.
  put(["epic", id, "list"], epics);
}

/** Outside of projects, with the project that the sidebar shows, as the HTML has requested it. */
function bootPath(projectRef: string | undefined): string {
  if (projectRef !== undefined) return withQuery("/api/boot", { project: projectRef });
  const requested = document.querySelector("link[as=fetch][href^='/api/boot']")?.getAttribute("href");
  return requested ?? withQuery("/api/boot", { project: recentProjects()[0] });
}
