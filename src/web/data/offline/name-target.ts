import type { QueryClient } from "@tanstack/react-query";
import { entitiesIn, type Entities, queriesOf } from "../cache/cached-copies.ts";
import { projectsQuery } from "../projects/projects.ts";
import type { NewChange } from "./queued-changes.ts";

type Target = { name: string; page: string };
type TargetKind = "issue" | "epic" | "error_group" | "report";

/** What a change is about, such as "WEB-12", and the address of its page. */
export function nameTarget(client: QueryClient, shows: NewChange["shows"]): Target {
  if (shows.kind === "comment") {
    const kind = shows.commentable_type.slice(0, -1) as TargetKind;
    return targetOf(client, kind, shows.project_id, shows.commentable_id);
  }
  const [first, ...others] = shows.items;
  if (first === undefined) throw new Error("A change is about something.");
  const target = targetOf(client, shows.kind, first.project_id, first.id);
  return others.length === 0 ? target : { ...target, name: `${shows.items.length} errors` };
}

function targetOf(client: QueryClient, kind: TargetKind, projectId: number, id: number): Target {
  const project = client.getQueryData(projectsQuery.queryKey)?.find((one) => one.id === projectId);
  const base = `/projects/${project?.key ?? projectId}`;
  switch (kind) {
    case "issue": {
      const key = findCopy(client, kind, id)?.key ?? String(id);
      return { name: key, page: `${base}/issues/${key}` };
    }
    case "epic":
      return { name: findCopy(client, kind, id)?.title ?? "an epic", page: `${base}/epics/${id}` };
    case "error_group":
      return {
        name: findCopy(client, kind, id)?.exception_class ?? "an error",
        page: `${base}/errors/${id}`,
      };
    case "report":
      return { name: `report #${id}`, page: `${base}/reports/${id}` };
  }
}

function findCopy<K extends TargetKind>(client: QueryClient, kind: K, id: number): Entities[K] | undefined {
  for (const query of queriesOf(client, kind)) {
    const copy = entitiesIn<K>(query).find((entity) => entity.id === id);
    if (copy !== undefined) return copy;
  }
  return undefined;
}
