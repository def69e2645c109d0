import { integer, name } from "../coerce.ts";
import type { EventContext } from "../event-context.ts";
import { isAllowedPattern } from "../route-pattern.ts";

type Attributes = Readonly<Record<string, unknown>>;

/** Where the exception occurred: a route, or the job of a message. If `isPersonal` finds personal data in it, it is left out. */
export function contextOf(
  attributes: Attributes,
  isPersonal: (text: string) => boolean,
): EventContext | null {
  const first = (...keys: string[]) =>
    keys.map((key) => name(attributes[key])).find((value) => value !== null) ?? null;
  const plain = (value: string | null) => (value === null || isPersonal(value) ? null : value);
  const pattern = first("http.route");
  const method = first("http.request.method", "http.method");
  if (pattern !== null || method !== null)
    return {
      kind: "route",
      name: null,
      method: plain(method),
      pattern: pattern !== null && isAllowedPattern(pattern) ? plain(pattern) : null,
      action: null,
      response_status:
        integer(attributes["http.response.status_code"], 100, 599) ??
        integer(attributes["http.status_code"], 100, 599),
    };
  if (!Object.keys(attributes).some((key) => key.startsWith("messaging."))) return null;
  const queue = first("messaging.destination.name", "messaging.destination");
  const job = first("messaging.destination.template") ?? queue ?? first("messaging.system");
  return { kind: "job", name: plain(job), queue: plain(queue), attempt: null };
}

/** The browser or client that sent the failed request. */
export function requestOf(attributes: Attributes): object | null {
  const agent = name(attributes["user_agent.original"] ?? attributes["http.user_agent"]);
  return agent === null ? null : { headers: { "User-Agent": agent } };
}
