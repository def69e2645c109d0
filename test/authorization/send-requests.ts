import type { Answer } from "../support/client.ts";
import { MULTIPART, multipart } from "../support/multipart.ts";
import { leaks, marker } from "./markers.ts";
import { expectedStatus } from "./expected-status.ts";
import { targetsOf, type Target } from "./targets.ts";
import type { Principal } from "./principals.ts";
import { ROWS } from "./route-requirements.ts";
import type { Row } from "./row.ts";
import type { Fixture } from "./fixture.ts";

/** A request to a route by a principal, and the expected status. */
export type Cell = { route: string; row: Row; who: Principal; target: Target; expected: number };

export function cellsOf(fixture: Fixture, principals: Principal[]): Cell[] {
  return Object.entries(ROWS).flatMap(([route, row]) =>
    targetsOf(route, row, fixture).flatMap((target) =>
      principals
        .filter((who) => isWorthwhile(who, target))
        .map((who) => ({ route, row, who, target, expected: expectedStatus(route, row, who, target) })),
    ),
  );
}

/**
 * Leaves out redundant cells: invalid credentials and ingest keys are rejected whatever the path, and malformed ids whoever
 * the caller.
 */
function isWorthwhile(who: Principal, target: Target): boolean {
  if (who.kind === "refused" || who.kind === "ingest") return target.name === "own";
  return !target.isMalformed || who.name.startsWith("a Manager") || who.kind === "nobody";
}

/** Rejected and read-only requests, which change nothing. */
export const isHarmless = ({ row, expected }: Cell) =>
  expected >= 400 || (row.effect === undefined && !row.endless);

export const describe = ({ route, who, target }: Cell) => `${route} as ${who.name}, ${target.name}`;

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

export function ask({ route, row, who, target }: Cell): Promise<Answer> {
  const [method = ""] = route.split(" ");
  const json = row.body === undefined ? undefined : JSON.stringify(row.body);
  const payload = row.form ? multipart([]) : json;
  const type = row.form ? MULTIPART : "application/json";
  return who.client.send({
    method,
    url: target.url,
    ...(payload === undefined ? {} : { payload, headers: { "content-type": type } }),
  });
}

function wrongWith(cell: Cell, answer: Answer): string[] {
  const { who, target, expected, row } = cell;
  const wrong: string[] = [];
  if (answer.status !== expected)
    wrong.push(`${describe(cell)}: ${answer.status}, expected ${expected}: ${answer.text.slice(0, 200)}`);
  const within = target.url.startsWith("/api/projects/") && !target.unknownRoot ? target.scope : undefined;
  const shown = row.shows?.map((kind) => marker(target.scope, kind).toLowerCase()) ?? [];
  for (const leak of leaks(who, answer, within))
    if (!shown.includes(leak)) wrong.push(`${describe(cell)}: leaks ${leak}`);
  return wrong;
}
