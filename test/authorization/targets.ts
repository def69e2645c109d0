import type { Row } from "./row.ts";
import type { Scope } from "./principals.ts";
import type { Ids, Fixture } from "./fixture.ts";

/** The URL of a request, and which of the objects in it are foreign or unknown. */
export type Target = {
  name: string;
  url: string;
  /** The project that the path begins with, or a project of the workspace that it begins with. */
  scope: Scope;
  /** The project or workspace of the path does not exist. */
  unknownRoot: boolean;
  /** The parameter whose value is not an object of the scope. */
  missing: string | undefined;
  /** The value is not a valid id. */
  isMalformed: boolean;
};

const ROOTS = new Set(["projectId", "workspaceId"]);
const UNKNOWN = "999999999";
const MALFORMED = ["abc", "0"];

/**
 * The path for each project; the path with each further id replaced by a foreign and by unknown ones; and the path with
 * an unknown project or workspace.
 */
export function targetsOf(route: string, row: Row, fixture: Fixture): Target[] {
  const [, path = ""] = route.split(" ");
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
  const root = names.find((name) => ROOTS.has(name));
  const children = names.filter((name) => name !== root && !row.anyText?.includes(name));
  const target = (scope: Scope, name: string, missing?: string, value?: string): Target => ({
    name,
    scope,
    missing: ROOTS.has(missing ?? "") ? undefined : missing,
    isMalformed: MALFORMED.includes(value ?? ""),
    unknownRoot: ROOTS.has(missing ?? ""),
    url: path.replaceAll(/:(\w+)/g, (_, one: string) =>
      one === missing ? String(value) : String(idOf(fixture[scope], path, one)),
    ),
  });
  const targets = [target("A", "own")];
  if (root !== undefined) {
    if (root === "projectId") targets.push(target("B", "B's own"));
    targets.push(target("C", "C's own"));
    for (const value of [UNKNOWN, ...MALFORMED]) targets.push(target("A", `${root} ${value}`, root, value));
  } else if (children.length > 0 && row.need !== "nothing") targets.push(target("C", "C's own"));
  for (const child of children) {
    for (const value of [UNKNOWN, ...MALFORMED]) targets.push(target("A", `${child} ${value}`, child, value));
    for (const other of foreign(path, row))
      targets.push(target("A", `${child} of ${other}`, child, String(idOf(fixture[other], path, child))));
    if (child === "issueId") targets.push(target("A", "a key of B", child, `${fixture.B["key"]}-1`));
  }
  return targets;
}

/** The scopes whose objects are foreign to A. A and B share a workspace, so its objects are foreign only in C. */
function foreign(path: string, row: Row): Scope[] {
  if (path.startsWith("/api/projects/:projectId/teams/")) return ["C"];
  // Deletions are below no project or workspace: the administrator of C sees that of C.
  if (row.need === "nothing" || path.startsWith("/api/deletions/")) return [];
  return path.startsWith("/api/projects/") || path.startsWith("/api/profile/") ? ["B", "C"] : ["C"];
}

function idOf(ids: Ids, path: string, name: string): string | number {
  const id = name === "organization" ? "acme" : ids[keyOf(path, name)];
  if (id === undefined) throw new Error(`the fixture has no ${keyOf(path, name)}`);
  return id;
}

/** The key of a parameter in `Ids`, because the same parameter name may refer to different kinds of objects. */
function keyOf(path: string, name: string): string {
  if (name === "commentId") return `${commentedIn(path)}CommentId`;
  if (name === "attachmentId") return attachmentKeyOf(path);
  if (name === "file") return path.includes("/docs/") ? "docsFile" : "pictureFile";
  if ((name === "webhookId" || name === "deliveryId") && path.startsWith("/api/workspaces/"))
    return `${name}OfWorkspace`;
  if (name === "viewId" && path.includes("/profile/")) return "ownViewId";
  if (name === "tokenId" && path.includes("/profile/")) return "personalTokenId";
  if (name === "teamId" && path.endsWith("/members/:userId")) return "teamOfPersonId";
  return name;
}

function attachmentKeyOf(path: string): string {
  const kind = commentedIn(path);
  if (path.includes("/comments/")) return `${kind}CommentAttachmentId`;
  return kind === "report" ? "attachmentId" : `${kind}AttachmentId`;
}

function commentedIn(path: string): string | undefined {
  const [, kind] = /\/(issue|epic|error-group|report)s\//.exec(path) ?? [];
  return kind === "error-group" ? "errorGroup" : kind;
}
