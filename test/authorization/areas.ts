import type { Area } from "../../src/shared/token-scopes.ts";
import { P } from "./row.ts";

/** What every scoped token may read, filtered by its areas and projects. */
const FOR_EVERY_AREA = new Set([
  "GET /api/profile",
  "GET /api/projects",
  "GET /api/search",
  "GET /api/events",
  "POST /api/mcp",
]);

/** Pages as Markdown. */
const PAGE = "/projects/:projectId";

/** The paths of each area, with everything below them. `GET …` means that only reading belongs to the area. */
const PATHS: Record<Area, string[]> = {
  issues: [
    "/api/issues",
    `${P}/issues`,
    `${P}/epics`,
    `${P}/sprints`,
    `GET ${P}/lanes`,
    `GET ${P}/labels`,
    // Files for the description of an issue that is being written.
    `${P}/attachments`,
    `${PAGE}/issues`,
    `${PAGE}/epics`,
    `${PAGE}/sprints`,
  ],
  reports: [`${P}/reports`, `GET ${P}/similar`, `${PAGE}/reports`],
  errors: [
    "/api/error-groups",
    `${P}/error-groups`,
    `${P}/events`,
    `${P}/releases`,
    `${P}/release`,
    `${P}/fix-release`,
    `${P}/error-events`,
    `${P}/otlp`,
    `${PAGE}/errors`,
    // Where Sentry's clients upload artifacts and name releases.
    "/api/0/organizations",
    "/api/0/projects/:organization",
  ],
};

/** The area of a route; undefined if scoped tokens may not use it. Written by hand, like the rows of the routes. */
export function areaOf(route: string): Area | "any" | undefined {
  if (FOR_EVERY_AREA.has(route)) return "any";
  // What Sentry's clients ask before they upload.
  if (route === "GET /api/0" || route === "GET /api/0/") return "errors";
  const isInArea = ([, paths]: [string, string[]]) => paths.some((path) => isBelow(route, path));
  return (Object.entries(PATHS).find(isInArea) as [Area, string[]] | undefined)?.[0];
}

function isBelow(route: string, path: string): boolean {
  const [method, url] = route.split(" ") as [string, string];
  const [required, prefix] = path.startsWith("GET ") ? ["GET", path.slice(4)] : [method, path];
  return method === required && (url === prefix || url.startsWith(`${prefix}/`));
}
