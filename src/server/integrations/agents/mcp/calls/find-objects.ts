import { accessThrough, type Access } from "../../../../access/project-access.ts";
import { isForProject } from "../../../../access/token-limits.ts";
import { parseId } from "../../../../answers/validation.ts";
import type { ErrorGroup } from "../../../../../shared/error-groups.ts";
import type { Issue } from "../../../../../shared/issues.ts";
import type { Report } from "../../../../../shared/reports.ts";
import { get, type Call } from "./call.ts";
import { notFound, ToolError } from "./tool-error.ts";

export type Project = { id: number; workspace_id: number; key: string; access: Access };

/** A project that the caller can access, by its id or key. */
export async function findProject(call: Call, ref: string | number, argument = "project"): Promise<Project> {
  const { caller } = call.request;
  const project = await call.context.authority.project(String(ref).toUpperCase(), caller.user_id);
  if (!project?.access || !isForProject(caller, project.project.id)) throw notFound(argument, "Project");
  return { ...project.project, access: accessThrough(caller, project.access) };
}

export type Found<Item> = { project: Project; item: Item; path: string };

const KEY = /^([A-Za-z][A-Za-z0-9]{1,9})-([1-9][0-9]{0,14})$/;

/** An issue that the caller may read, by its id or key. */
export function findIssue(call: Call, ref: string | number): Promise<Found<Issue>> {
  const name = String(ref).trim();
  const project = KEY.exec(name)?.[1];
  const item = { argument: "issue", what: "Issue", path: "issues", ref: name.toUpperCase() };
  return find<Issue>(call, item, async () => project ?? projectOf(call, "issues", parseId(name)));
}

export function findErrorGroup(call: Call, id: number): Promise<Found<ErrorGroup>> {
  const item = { argument: "error_group_id", what: "Error group", path: "error-groups", ref: String(id) };
  return find<ErrorGroup>(
    call,
    item,
    async () =>
      (await projectOf(call, "error_groups", id)) ?? (await projectOf(call, "merged_error_groups", id)),
  );
}

export function findReport(call: Call, id: number): Promise<Found<Report>> {
  const item = { argument: "report_id", what: "Report", path: "reports", ref: String(id) };
  return find<Report>(call, item, () => projectOf(call, "reports", id));
}

export function findEpic(call: Call, id: number): Promise<Found<{ id: number; title: string }>> {
  const item = { argument: "epic_id", what: "Epic", path: "epics", ref: String(id) };
  return find(call, item, () => projectOf(call, "epics", id));
}

type Item = { argument: string; what: string; path: string; ref: string };

/** Reads the object by its route, which decides whether the caller may. */
async function find<T>(
  call: Call,
  { argument, what, path, ref }: Item,
  projectRef: () => Promise<string | number | undefined>,
): Promise<Found<T>> {
  const inProject = await projectRef();
  if (inProject === undefined) throw notFound(argument, what);
  try {
    const project = await findProject(call, inProject);
    const route = `/api/projects/${project.id}/${path}/${ref}`;
    return { project, item: await get<T>(call, route), path: route };
  } catch (error) {
    throw error instanceof ToolError ? asNotFound(error, argument, what) : error;
  }
}

function asNotFound(error: ToolError, argument: string, what: string): ToolError {
  if (error.mergedInto !== undefined)
    return new ToolError(
      `${argument}: the error group was merged into ${error.mergedInto}. Ask for that one.`,
    );
  const isHidden = error.status === undefined || error.status === 403 || error.status === 404;
  return isHidden ? notFound(argument, what) : error;
}

type Table = "issues" | "error_groups" | "merged_error_groups" | "reports" | "epics";

/** The id of the project of an object, which the caller may not be allowed to read. */
async function projectOf({ db }: Call, table: Table, id: number | undefined): Promise<number | undefined> {
  if (id === undefined) return undefined;
  const row = await db.selectFrom(table).select("project_id").where("id", "=", id).executeTakeFirst();
  return row?.project_id;
}
