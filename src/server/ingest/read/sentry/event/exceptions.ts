import { at, cut, integer, name, record, type JsonRecord } from "../../coerce.ts";
import { sentryList } from "./sentry-list.ts";

/** The most exceptions that are read. */
const MAX_EXCEPTIONS = 100;

/** An exception without any of these fields is ignored. */
const PARTS = ["type", "value", "module", "stacktrace"];

type Exceptions = {
  thrown: JsonRecord | undefined;
  /** The other exceptions, beginning with those closest to the thrown one. */
  chain: JsonRecord[];
};

/**
 * The thrown exception and its causes. SDKs send the thrown one last. SDKs that send exception groups, which are trees, also
 * number the exceptions: the thrown one has number 0, and each other one names its parent.
 */
export function exceptionsOf(event: JsonRecord): Exceptions {
  const newestFirst = sentryList(event.exception, MAX_EXCEPTIONS)
    .filter((exception) => PARTS.some((part) => (exception[part] ?? null) !== null))
    .toReversed();
  const thrown = newestFirst.find((exception) => idOf(exception) === 0) ?? newestFirst[0];
  const chain = newestFirst.filter((exception) => exception !== thrown);
  if (!thrown || idOf(thrown) === null || isInOrder(chain)) return { thrown, chain };
  const parents = new Map(chain.map((exception) => [idOf(exception), parentOf(exception)]));
  const depths = new Map(chain.map((exception) => [exception, depthOf(idOf(exception), parents)]));
  // The sort is stable: exceptions at the same depth stay in the order of the SDK.
  return { thrown, chain: chain.toSorted((a, b) => (depths.get(a) ?? 0) - (depths.get(b) ?? 0)) };
}

/** Whether the exceptions are a plain chain, as most are: each one is the cause of the one before. */
const isInOrder = (chain: readonly JsonRecord[]): boolean =>
  chain.every((exception, n) => idOf(exception) === n + 1 && parentOf(exception) === n);

const idOf = (exception: JsonRecord) => integer(at(exception, "mechanism", "exception_id"), 0, 1e9);
const parentOf = (exception: JsonRecord) => integer(at(exception, "mechanism", "parent_id"), 0, 1e9);

/**
 * The number of parents between the exception and the thrown one. Takes at most as many steps as there are exceptions, so a
 * cycle of parents ends.
 */
function depthOf(id: number | null, parents: Map<number | null, number | null>): number {
  let depth = 0;
  for (let at = id; at !== null && at !== 0 && depth <= parents.size; depth++) at = parents.get(at) ?? null;
  return depth;
}

/**
 * Whether the exception only carries the trace of a message: `captureMessage` of @sentry/node sends one without a type beside the
 * message.
 */
export const isOfMessage = (exception: JsonRecord): boolean => name(exception.type) === null;

/** Languages whose SDKs send the namespace of a class separately from its name. */
const WITH_NAMESPACE = new Set(["java", "kotlin", "csharp"]);

export function classOf(exception: JsonRecord, platform: unknown): string {
  const type = name(exception.type) ?? "Error";
  const module = typeof platform === "string" && WITH_NAMESPACE.has(platform) ? name(exception.module) : null;
  // .NET sends an assembly with its version instead, `Shop, Version=1.2.0.0`, and the whole name of the class.
  if (module === null || module.includes(",") || type.startsWith(`${module}.`)) return type;
  return cut(`${module}.${type}`, 255);
}

const CODE_PATHS = [
  ["data", "code"],
  ["meta", "errno", "name"],
  ["meta", "errno", "number"],
  ["meta", "signal", "name"],
  ["meta", "ns_error", "code"],
];

export function exceptionCode(event: JsonRecord, thrown: JsonRecord | undefined): string | null {
  const ofSystem = name(at(event, "contexts", "node_system_error", "code"));
  if (ofSystem !== null) return ofSystem;
  const mechanism = record(thrown?.mechanism);
  for (const path of CODE_PATHS) {
    const code = name(at(mechanism, ...path));
    if (code !== null) return code;
  }
  return null;
}
