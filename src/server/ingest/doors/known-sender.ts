import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Authority } from "../../access/authority.ts";
import type { Caller } from "../../access/caller.ts";
import { refusalOf } from "../../access/refusal.ts";
import { EVENT_NEEDS } from "./event-needs.ts";
import type { ProjectRulesLookup } from "../project-rules/project-rules.ts";

/** Bytes. Larger bodies arrive in many pieces, and a refusal must not wait for them. */
const SMALL = 64 * 1024;

const BEFORE = "/api/projects/";
const AFTER = "/error-events";
export const ROUTE = `${BEFORE}:projectId${AFTER}`;

/** The sender of an event whose token and project are cached. `length` is the size of the body in bytes. */
export type KnownSender = { caller: Caller; projectId: number; length: number };

/** What a request says about its sender. `ref` is the id or key of the project. */
export type OrdinaryEvent = { token: string; ref: string; length: number };

/** Undefined for a request that is not an event with a token and an ordinary body. */
export function ordinaryEvent({ method, url = "", headers }: IncomingMessage): OrdinaryEvent | undefined {
  if (method !== "POST" || !url.startsWith(BEFORE) || !url.endsWith(AFTER)) return undefined;
  const length = ordinaryLength(headers);
  const { authorization = "" } = headers;
  if (length === undefined || !authorization.startsWith("Bearer ")) return undefined;
  return { token: authorization.slice(7), ref: url.slice(BEFORE.length, -AFTER.length), length };
}

type Known = { authority: Authority; projectRules: ProjectRulesLookup };

/** The sender of an event. Undefined unless caller and project are cached and the guard would admit it. */
export function knownSender(
  { token, ref, length }: OrdinaryEvent,
  { authority }: Known,
): KnownSender | undefined {
  const caller = authority.knownCallerByToken(token);
  if (!caller) return undefined;
  const found = authority.knownProject(ref, caller.user_id);
  if (!found || refusalOf(caller, found, EVENT_NEEDS)) return undefined;
  return { caller, projectId: found.project.id, length };
}

/** Looks up the sender, and the rules of its project. Concurrent events of a sender share one lookup. */
export async function lookUpSender(event: OrdinaryEvent, known: Known): Promise<KnownSender | undefined> {
  const { authority, projectRules } = known;
  const caller = await authority.callerByToken(event.token);
  if (!caller) return undefined;
  const [found] = await Promise.all([
    authority.project(event.ref, caller.user_id),
    // A project token names its project, so both lookups can run in parallel.
    caller.kind === "project" ? projectRules.get(caller.project_id) : undefined,
  ]);
  if (!found || refusalOf(caller, found, EVENT_NEEDS)) return undefined;
  return { caller, projectId: found.project.id, length: event.length };
}

const JSON_TYPES = new Set(["application/json", "application/json; charset=utf-8"]);

/** The body's length, or undefined for a request that only the route can handle, such as one from a web page. */
function ordinaryLength(headers: IncomingHttpHeaders): number | undefined {
  const isOrdinary =
    JSON_TYPES.has(headers["content-type"] ?? "") &&
    headers["content-encoding"] === undefined &&
    headers["transfer-encoding"] === undefined &&
    headers.origin === undefined &&
    headers.host !== undefined;
  const length = Number(headers["content-length"] ?? 0);
  return isOrdinary && length > 0 && length <= SMALL ? length : undefined;
}
