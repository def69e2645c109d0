import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { Page } from "../../shared/answers.ts";
import type { Boot } from "../../shared/boot.ts";
import { api, adoptRequests, withQuery } from "../api/client.ts";
import { NEW_SESSION } from "../../shared/new-session.ts";
import type { Profile } from "../../shared/people.ts";
import type { Project } from "../../shared/projects.ts";
import { wasSignedIn } from "../state/was-signed-in.ts";
import { checkOwner, forgetCopies, openCopies, putAnswer, restore } from "./cache/copies.ts";
import { countsQuery } from "./projects/counts.ts";
import { labelsQuery } from "./projects/labels.ts";
import { lanesQuery } from "./projects/lanes.ts";
import { peopleQuery } from "./projects/people.ts";
import { findProject, projectsQuery, workspacesQuery } from "./projects/projects.ts";
import { recentProjects } from "./projects/recent-projects.ts";
import { profileQuery } from "./account/session.ts";
import { viewsQuery } from "./projects/saved-views.ts";
import { sprintsQuery } from "./projects/sprints.ts";
import { recountIn, unreadQuery } from "./inbox/unread.ts";

/** Keys of the answers that every page needs, outside of a project. */
const EVERYWHERE: readonly QueryKey[] = [
  profileQuery.queryKey,
  projectsQuery.queryKey,
  workspacesQuery.queryKey,
  unreadQuery.queryKey,
  viewsQuery(null).queryKey,
];

const ofProject = (id: number) =>
  [
    viewsQuery(id).queryKey,
    countsQuery(id).queryKey,
    lanesQuery(id).queryKey,
    labelsQuery(id).queryKey,
    sprintsQuery(id).queryKey,
    peopleQuery(id).queryKey,
    // The key of `epicsQuery`, whose module is too large for the first screen.
    ["epic", id, "list"],
  ] as const;

/**
 * Puts what every page needs into the cache: at once from the copies of this browser, if it has them, and then from the
 * server; otherwise after the server's answer.
 */
export async function start(client: QueryClient, projectRef: string | undefined): Promise<void> {
  if (await startFromCopies(client, projectRef)) {
    // What could not be read is read again when the connection is back.
    void boot(client, projectRef).catch(() => client.invalidateQueries());
    return;
  }
  const project = await boot(client, projectRef);
  if (project && projectRef !== undefined) adoptRequests(projectRef, project.id);
}

async function startFromCopies(client: QueryClient, projectRef: string | undefined): Promise<boolean> {
  if (document.cookie.includes(`${NEW_SESSION}=`)) {
    document.cookie = `${NEW_SESSION}=; path=/; max-age=0`;
    await forgetCopies();
  }
  if (!wasSignedIn.read() || !(await openCopies())) return false;
  try {
    const [profile, projects] = (await restore(client, EVERYWHERE)) as [Profile?, Project[]?];
    if (profile === undefined || projects === undefined) return false;
    const project = findProject(projects, projectRef ?? recentProjects()[0]);
    if (project) await restore(client, ofProject(project.id));
    if (project && projectRef !== undefined) adoptRequests(projectRef, project.id);
    return true;
  } catch {
    // The copies are damaged.
    client.clear();
    await forgetCopies();
    return false;
  }
}

/** Reads what every page needs with one request instead of nine, and puts it into the cache. Returns the project. */
async function boot(client: QueryClient, projectRef: string | undefined): Promise<Boot["project"]> {
  const all = await api.get<Boot>(bootPath(projectRef));
  if (await checkOwner(all.profile.id)) {
    // Nothing more happens on this page, which shows copies of someone else. The next one starts without copies in any case.
    wasSignedIn.write(false);
    location.reload();
    return new Promise(() => {});
  }
  wasSignedIn.write(true);
  putAnswer(client, profileQuery.queryKey, all.profile);
  putAnswer(client, unreadQuery.queryKey, all.unread_count);
  recountIn(client, all.next_return_ms);
  const put = (queryKey: QueryKey, page: Page<unknown> | null) => {
    if (page?.meta.next_cursor === null) return putAnswer(client, queryKey, page.data);
    // A list with more than one page is read by its own query.
    void client.invalidateQueries({ queryKey, exact: true });
  };
  put(projectsQuery.queryKey, all.projects);
  put(workspacesQuery.queryKey, all.workspaces);
  put(viewsQuery(null).queryKey, all.views);
  if (!all.project) return null;
  const { id, lanes, labels, sprints, people, epics, counts } = all.project;
  const [viewsKey, countsKey, lanesKey, labelsKey, sprintsKey, peopleKey, epicsKey] = ofProject(id);
  put(viewsKey, all.project.views);
  putAnswer(client, countsKey, counts);
  put(lanesKey, lanes);
  put(labelsKey, labels);
  put(sprintsKey, sprints);
  put(peopleKey, people);
  put(epicsKey, epics);
  return all.project;
}

/** Outside of projects, with the project that the sidebar shows, as the HTML has requested it. */
function bootPath(projectRef: string | undefined): string {
  if (projectRef !== undefined) return withQuery("/api/boot", { project: projectRef });
  const requested = document.querySelector("link[as=fetch][href^='/api/boot']")?.getAttribute("href");
  return requested ?? withQuery("/api/boot", { project: recentProjects()[0] });
}
