import type { Row } from "./rows.ts";
import type { Scope } from "./principals.ts";
import type { Ids, World } from "./world.ts";

/** Where a request goes: the objects its path names, and what is wrong with them. */
export type Place = {
  name: string;
  url: string;
  /** The project, or the project whose workspace it is, that the path begins with. */
  scope: Scope;
  /** The project or workspace of the path does not exist. */
  unknownRoot: boolean;
  /** The name of the parameter that is not an object of the scope. */
  missing: string | undefined;
  /** What the path has instead is no id at all. */
  isMalformed: boolean;
};

const ROOTS = new Set(["projectId", "workspaceId"]);
const UNKNOWN = "999999999";
const MALFORMED = ["abc", "0"];

/**
 * Own, foreign and unknown: the path of each project, each of its further ids replaced by one of another project or
 * workspace and by unknown ones, and a path whose project or workspace is unknown.
 */
export function placesOf(route: string, row: Row, world: World): Place[] {
  const [, path = ""] = route.split(" ");
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
  const root = names.find((name) => ROOTS.has(name));
  const children = names.filter((name) => name !== root);
  const place = (scope: Scope, name: string, missing?: string, value?: string): Place => ({
    name,
    scope,
    missing: ROOTS.has(missing ?? "") ? undefined : missing,
    isMalformed: MALFORMED.includes(value ?? ""),
    unknownRoot: ROOTS.has(missing ?? ""),
    url: path.replaceAll(/:(\w+)/g, (_, one: string) =>
      one === missing ? String(value) : String(idOf(world[scope], path, one)),
    ),
  });
  const places = [place("A", "own")];
  if (root !== undefined) {
    if (root === "projectId") places.push(place("B", "B's own"));
    places.push(place("C", "C's own"));
    for (const value of [UNKNOWN, ...MALFORMED]) places.push(place("A", `${root} ${value}`, root, value));
  } else if (children.length > 0 && row.need !== "nothing") places.push(place("C", "C's own"));
  for (const child of children) {
    for (const value of [UNKNOWN, ...MALFORMED]) places.push(place("A", `${child} ${value}`, child, value));
    for (const other of foreign(path, row))
      places.push(place("A", `${child} of ${other}`, child, String(idOf(world[other], path, child))));
    if (child === "issueId") places.push(place("A", "a key of B", child, `${world.B["key"]}-1`));
  }
  return places;
}

/** What belongs to a workspace is foreign in the other workspace alone; one's account to nobody but its owner. */
function foreign(path: string, row: Row): Scope[] {
  if (path.startsWith("/api/projects/:projectId/teams/")) return ["C"];
  if (row.need === "nothing") return [];
  return path.startsWith("/api/projects/") || path.startsWith("/api/profile/") ? ["B", "C"] : ["C"];
}

function idOf(ids: Ids, path: string, name: string): string | number {
  const id = ids[keyOf(path, name)];
  if (id === undefined) throw new Error(`the world has no ${keyOf(path, name)}`);
  return id;
}

/** The same name may mean different things. */
function keyOf(path: string, name: string): string {
  if (name === "commentId") return path.includes("/epics/") ? "epicCommentId" : "issueCommentId";
  if (name === "file") return path.includes("/docs/") ? "docsFile" : "pictureFile";
  if (name === "tokenId" && path.includes("/profile/")) return "personalTokenId";
  if (name === "teamId" && path.endsWith("/members/:userId")) return "teamOfPersonId";
  return name;
}
