import type { Answer } from "../support/client.ts";
import { MULTIPART, multipart } from "../support/multipart.ts";
import { leaks } from "./canaries.ts";
import { expectedStatus } from "./oracle.ts";
import { placesOf, type Place } from "./places.ts";
import type { Principal } from "./principals.ts";
import { ROWS, type Row } from "./rows.ts";
import type { World } from "./world.ts";

/** A request to a route by a principal, and the expected status. */
export type Cell = { route: string; row: Row; who: Principal; place: Place; expected: number };

export function cellsOf(world: World, cast: Principal[]): Cell[] {
  return Object.entries(ROWS).flatMap(([route, row]) =>
    placesOf(route, row, world).flatMap((place) =>
      cast
        .filter((who) => isWorthwhile(who, place))
        .map((who) => ({ route, row, who, place, expected: expectedStatus(route, row, who, place) })),
    ),
  );
}

/** Leaves out redundant cells: invalid credentials are rejected whatever the path, and malformed ids whoever the caller. */
function isWorthwhile(who: Principal, place: Place): boolean {
  if (who.kind === "refused") return place.name === "own";
  return !place.isMalformed || who.name.startsWith("a Manager") || who.kind === "nobody";
}

/** Rejected and read-only requests, which change nothing. */
export const isHarmless = ({ row, expected }: Cell) =>
  expected >= 400 || (row.effect === undefined && !row.endless);

export const describe = ({ route, who, place }: Cell) => `${route} as ${who.name}, ${place.name}`;

/** The number of concurrent requests. */
const CONCURRENCY = 8;

/** Sends the requests of the cells and adds what is wrong with the responses to `complaints`, by route. */
export async function walk(cells: Cell[], complaints: Map<string, string[]>): Promise<void> {
  const left = cells.values();
  const one = async () => {
    for (const cell of left) {
      const found = wrongWith(cell, await ask(cell));
      complaints.set(cell.route, [...(complaints.get(cell.route) ?? []), ...found]);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, one));
}

export function ask({ route, row, who, place }: Cell): Promise<Answer> {
  const [method = ""] = route.split(" ");
  const json = row.body === undefined ? undefined : JSON.stringify(row.body);
  const payload = row.form ? multipart([]) : json;
  const type = row.form ? MULTIPART : "application/json";
  return who.client.send({
    method,
    url: place.url,
    ...(payload === undefined ? {} : { payload, headers: { "content-type": type } }),
  });
}

function wrongWith(cell: Cell, answer: Answer): string[] {
  const { who, place, expected } = cell;
  const wrong: string[] = [];
  if (answer.status !== expected)
    wrong.push(`${describe(cell)}: ${answer.status}, expected ${expected}: ${answer.text.slice(0, 200)}`);
  const within = place.url.startsWith("/api/projects/") && !place.unknownRoot ? place.scope : undefined;
  for (const leak of leaks(who, answer, within)) wrong.push(`${describe(cell)}: leaks ${leak}`);
  return wrong;
}
