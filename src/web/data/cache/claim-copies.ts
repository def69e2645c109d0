import type { QueryClient } from "@tanstack/react-query";
import type { Profile } from "../../../shared/people.ts";
import type { Project } from "../../../shared/projects.ts";
import { inLocal } from "../../state/local-database.ts";
import { ABOUT, type About, currentBuild, isRestored } from "./copies.ts";

/**
 * Writes down whose copies the database holds, and what that person may read. Empties it first if it holds those of someone else
 * or of another build, or if the person has lost a project, a permission or a role: the copies may contain what they may no longer
 * read. Returns false if the server has not said yet what they may read. If the database has been emptied since the page's first claim,
 * another tab has signed out, and nothing is written.
 */
export async function claimCopies(client: QueryClient, userId: number, isFirst: boolean): Promise<boolean> {
  const access = accessOf(client, userId);
  if (access === undefined) return false;
  const next: About = { user_id: userId, build: currentBuild(), access, since: performance.timeOrigin };
  let hasLost = false;
  await inLocal(["about", "copies", "changes"], "readwrite", (transaction) => {
    const store = transaction.objectStore("about");
    const request: IDBRequest<About | undefined> = store.get(ABOUT);
    request.addEventListener("success", () => {
      const about = request.result;
      if (about === undefined && !isFirst) return;
      const isOther = about?.user_id !== userId;
      const isSame = !isOther && about.build === next.build;
      hasLost = isSame && !about.access.every((right) => access.includes(right));
      if (isSame) next.since = hasLost ? Date.now() : about.since;
      if (about && isOther) transaction.objectStore("changes").clear();
      if (!isSame || hasLost) transaction.objectStore("copies").clear();
      store.put(next, ABOUT);
    });
    return undefined;
  });
  // What the page has in memory may not be readable anymore either.
  if (hasLost) {
    client.removeQueries({ type: "inactive" });
    void client.invalidateQueries();
  }
  return true;
}

/** One entry for each thing that the person may do or read; undefined unless it is the server's answer. */
function accessOf(client: QueryClient, userId: number): string[] | undefined {
  const [profile, projects] = [["profile"], ["project", null, "list"]].map((queryKey) => {
    const query = client.getQueryCache().find({ queryKey, exact: true });
    return query && !isRestored(query) ? query.state.data : undefined;
  }) as [Profile | undefined, Project[] | undefined];
  // After someone else has signed in, the page is about to be loaded again.
  if (profile?.id !== userId || projects === undefined) return undefined;
  return [
    ...(profile.is_admin ? ["admin"] : []),
    ...projects.flatMap(({ id, is_owner, permissions, features }) => [
      `project ${id}`,
      ...(is_owner ? [`project ${id} owner`] : []),
      ...[...permissions, ...namesOf(features)].map((name) => `project ${id} ${name}`),
    ]),
  ];
}

const namesOf = (features: Record<string, boolean>) => Object.keys(features).filter((name) => features[name]);
