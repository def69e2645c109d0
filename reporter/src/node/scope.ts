import type { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Described, descriptionOf } from "../core/describe-request.ts";
import { attempt, property } from "../core/safe.ts";
import type { Trail } from "../core/trail.ts";
import { builtin } from "./builtin.ts";

/** A request or job that is being processed. */
export interface Scope extends Trail {
  subject: object;
  details: () => Described;
}

/** Registered globally, so that all reporters of a process share the scopes. */
const slot = Symbol.for("@signalbox/reporter.scopes");
const holder = globalThis as { [slot]?: AsyncLocalStorage<Scope> };

/** The scope of the running code, if it was started by a request or job. */
export function currentScope(): Scope | undefined {
  return holder[slot]?.getStore();
}

/** Runs a function whose errors, tags and breadcrumbs belong to this request or job. */
export function runInScope<Result>(subject: object, details: () => Described, run: () => Result): Result {
  return storage().run({ subject, details, tags: {}, breadcrumbs: [] }, run);
}

/** Gives each incoming request of node:http a scope, whatever framework handles it. Returns a function that stops it. */
export function watchRequests(): () => void {
  const channel = builtin("node:diagnostics_channel").channel("http.server.request.start");
  const start = (message: unknown) => attempt(() => open(message as Exchange));
  channel.subscribe(start);
  return () => channel.unsubscribe(start);
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

function open({ request, response }: Exchange) {
  // Several reporters may watch.
  if (currentScope()?.subject === request) return;
  const scope: Scope = { subject: request, details: () => detailsOf(request), tags: {}, breadcrumbs: [] };
  storage().enterWith(scope);
  // The chunks of a body arrive in the connection's context, and handlers often run after the last one.
  for (const emitter of [request, response]) {
    const { emit } = emitter;
    emitter.emit = function (this: unknown, ...event: Parameters<typeof emit>) {
      return storage().run(scope, () => emit.apply(this, event));
    };
  }
}

function detailsOf(request: IncomingMessage): Described {
  const describe = descriptionOf(request) ?? expressDescription(request);
  return describe?.(request) ?? { context: { kind: "route", method: request.method } };
}

/** Express has no hook before the routes, but its error handlers are found in the application's router. */
function expressDescription(request: IncomingMessage) {
  const app = property(request, "app");
  const layers = property(property(app, "_router") ?? property(app, "router"), "stack");
  if (!Array.isArray(layers)) return undefined;
  return layers.map((layer) => descriptionOf(property(layer, "handle"))).find(Boolean);
}

function storage(): AsyncLocalStorage<Scope> {
  return (holder[slot] ??= new (builtin("node:async_hooks").AsyncLocalStorage)<Scope>());
}
