import type { Query, QueryClient, QueryKey } from "@tanstack/react-query";
import type { Comment } from "../../../shared/comments.ts";
import type { Epic } from "../../../shared/epics.ts";
import type { ErrorGroupListItem } from "../../../shared/error-groups.ts";
import type { Issue } from "../../../shared/issues.ts";
import type { Lane } from "../../../shared/lanes.ts";
import type { Notification, ReportWatch } from "../../../shared/notifications.ts";
import type { Profile } from "../../../shared/people.ts";
import type { IngestKey } from "../../../shared/ingest-keys.ts";
import type { ProjectToken } from "../../../shared/project-tokens.ts";
import type { ProjectMember } from "../../../shared/projects.ts";
import type { Report } from "../../../shared/reports.ts";
import type { Sprint } from "../../../shared/sprints.ts";
import type { ProjectTeam } from "../../../shared/teams.ts";
import type { Workspace } from "../../../shared/workspaces.ts";

/** What the cache holds copies of. The name is the first part of the query keys. */
export type Entities = {
  comment: Comment;
  epic: Epic;
  /** The detail has more fields; lists and details share these. */
  error_group: ErrorGroupListItem;
  issue: Issue;
  lane: Lane;
  member: ProjectMember;
  notification: Notification;
  profile: Profile;
  report: Report;
  report_watch: ReportWatch;
  sprint: Sprint;
  team: ProjectTeam;
  token: ProjectToken;
  ingest_key: IngestKey;
  workspace: Workspace;
};

export type Kind = keyof Entities;
export type Id = number | string;

/** A member of a project; the same person may be a member of others. */
export const memberId = (projectId: number, userId: number): Id => `${projectId}/${userId}`;

/** A team's access to a project. */
export const projectTeamId = (projectId: number, teamId: number): Id => `${projectId}/${teamId}`;

type Source<E> = {
  /** Whether a query of the kind holds entities of it, and not counts or activity, say. */
  holds: (key: QueryKey) => boolean;
  idOf: (entity: E, key: QueryKey) => Id;
};

const byId = ({ id }: { id: number }) => id;

const named =
  (...names: string[]) =>
  ([, , name]: QueryKey) =>
    names.includes(name as string);

const ofProject = ([, projectId]: QueryKey) => projectId !== null;

const SOURCES: { [K in Kind]: Source<Entities[K]> } = {
  comment: { holds: () => true, idOf: byId },
  epic: { holds: named("list", "one"), idOf: byId },
  error_group: { holds: named("list", "one", "newest"), idOf: byId },
  issue: { holds: named("list", "one", "find"), idOf: byId },
  lane: { holds: () => true, idOf: byId },
  member: {
    holds: ofProject,
    idOf: ({ user_id }, [, projectId]) => memberId(projectId as number, user_id),
  },
  notification: { holds: named("list"), idOf: byId },
  profile: { holds: () => true, idOf: byId },
  report: { holds: named("list", "one", "waiting"), idOf: byId },
  report_watch: { holds: () => true, idOf: (_watch, [, projectId]) => projectId as number },
  sprint: { holds: named("list", "one"), idOf: byId },
  team: {
    holds: ofProject,
    idOf: ({ team_id }, [, projectId]) => projectTeamId(projectId as number, team_id),
  },
  token: { holds: ofProject, idOf: byId },
  ingest_key: { holds: ofProject, idOf: byId },
  workspace: { holds: named("list"), idOf: byId },
};

/** The queries that hold entities of the kind and have been loaded. */
export function queriesOf(client: QueryClient, kind: Kind): Query[] {
  return client
    .getQueryCache()
    .findAll({ queryKey: [kind] })
    .filter(({ queryKey, state }) => state.data !== undefined && SOURCES[kind].holds(queryKey));
}

export function idIn<K extends Kind>(kind: K, entity: Entities[K], query: Query): Id {
  return SOURCES[kind].idOf(entity, query.queryKey);
}

/** The entities a query holds: one, a list, a list with `meta`, or the pages of an infinite query. */
export function entitiesIn<K extends Kind>(query: Query): Entities[K][] {
  const { data } = query.state;
  return isPages(data) ? data.pages.flatMap((page) => rowsOf<K>(page)) : rowsOf<K>(data);
}

const rowsOf = <K extends Kind>(data: unknown) =>
  (Array.isArray(data) ? data : hasRows(data) ? data.data : [data]) as Entities[K][];

/**
 * Replaces the entities of a query; undefined removes one from its list. Does nothing if all of them stay the same
 * objects.
 */
export function mapCopies<K extends Kind>(
  client: QueryClient,
  query: Query,
  change: (entity: Entities[K]) => Entities[K] | undefined,
): void {
  const { data } = query.state;
  // Disabled, or loading for the first time.
  if (data === undefined) return;
  const to = change as (row: unknown) => unknown;
  const next = isPages(data) ? withChanged(data, "pages", (page) => mapRows(page, to)) : mapRows(data, to);
  if (next !== data) setCopy(client, query, next);
}

function mapRows(data: unknown, to: (row: unknown) => unknown): unknown {
  if (Array.isArray(data)) return mapList(data, to);
  return hasRows(data) ? withChanged(data, "data", to) : (to(data) ?? data);
}

function withChanged<F extends string>(
  parent: { [name in F]: unknown[] },
  field: F,
  to: (row: unknown) => unknown,
) {
  const list = mapList(parent[field], to);
  return list === parent[field] ? parent : { ...parent, [field]: list };
}

function mapList(list: readonly unknown[], to: (row: unknown) => unknown): readonly unknown[] {
  const next = list.map(to).filter((row) => row !== undefined);
  return next.length === list.length && next.every((row, index) => row === list[index]) ? list : next;
}

const isPages = (data: unknown): data is { pages: unknown[] } =>
  typeof data === "object" && data !== null && "pages" in data && Array.isArray(data.pages);

const hasRows = (data: unknown): data is { data: unknown[] } =>
  typeof data === "object" && data !== null && "data" in data && Array.isArray(data.data);

/**
 * Sets what a query holds without making it look freshly loaded: a stale query stays stale, and the time it was last
 * read says which page was opened recently.
 */
export function setCopy(client: QueryClient, query: Query, data: unknown): void {
  const { dataUpdatedAt, isInvalidated } = query.state;
  client.setQueryData(query.queryKey, data, { updatedAt: dataUpdatedAt });
  if (isInvalidated) query.invalidate();
}
