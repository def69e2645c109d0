import type { Context } from "../core/event.ts";
import { currentReporter, setCurrentReporter } from "../core/current.ts";
import { type IntegrationOptions, reporterOf } from "../core/integration.ts";
import { attempt, filled, property } from "../core/safe.ts";
import { createReporter } from "./create-reporter.ts";
import type { FetchOptions } from "./options.ts";

/** `Env` is the type of the environment that the runtime passes to each handler. */
export interface FetchErrorsOptions<Env = never> extends Pick<IntegrationOptions<Request>, "reporter"> {
  /** Returns the declared pattern of a request's route, such as `/users/:id`; never its URL. Default none. */
  pattern?: ((request: Request) => string | undefined) | undefined;
  /** Returns the options of `init`, for runtimes that pass the environment to each handler, such as Workers. */
  init?: ((env: Env) => FetchOptions) | undefined;
}

/** Any function: the types of a handler's arguments are the application's. */
type Handler = (...args: never[]) => unknown;

type HandlerName = "fetch" | "scheduled" | "queue" | "email";

/** The second argument of a handler; `never` if it declares none, which allows `init` to declare any type. */
type EnvOf<Target> = Target extends (subject: never, env: infer Env, ...rest: never[]) => unknown
  ? unknown extends Env
    ? never
    : Env
  : Target extends object
    ? EnvOf<Target[keyof Target & HandlerName]>
    : never;

/** How long a worker may stay alive after its response to send events: a request and its timeout. */
const MAX_FLUSH_MS = 15_000;
const handlerNames = new Set<string>(["fetch", "scheduled", "queue", "email"] satisfies HandlerName[]);

/**
 * Wraps a fetch handler, or an object of handlers as Cloudflare Workers export it. Reports the errors of the handlers,
 * and rethrows them. With `waitUntil`, the runtime waits until they are sent.
 */
export function fetchErrors<Target extends Handler | object>(
  target: Target,
  options: FetchErrorsOptions<EnvOf<Target>> = {},
): Target {
  if (typeof target === "function") return wrap("fetch", target as Handler, options) as Target;
  const handlers = Object.entries(target).filter(([name]) => handlerNames.has(name));
  const wrapped = handlers.map(([name, handler]) => [name, wrap(name, handler as Handler, options)]);
  // oxlint-disable-next-line typescript/no-misused-spread -- only its own handlers are called
  return { ...target, ...Object.fromEntries(wrapped) };
}

function wrap(name: string, handler: Handler, options: FetchErrorsOptions): Handler {
  // Deno passes as many arguments as the function declares.
  return async function wrapped(this: unknown, subject: unknown, env: unknown, ...rest: unknown[]) {
    const args = [subject, env, ...rest];
    if (options.init && !currentReporter())
      setCurrentReporter(createReporter(attempt(() => options.init!(env as never))));
    const reporter = reporterOf(options);
    try {
      return await handler.apply(this, args as never[]);
    } catch (error) {
      reporter?.captureOnce(error, { context: contextOf(name, subject, options) }, subject as object);
      throw error;
    } finally {
      const lifetime = args.find((arg) => typeof property(arg, "waitUntil") === "function");
      if (lifetime && reporter && reporter.counts.queued > 0)
        (lifetime as { waitUntil(promise: Promise<unknown>): void }).waitUntil(reporter.flush(MAX_FLUSH_MS));
    }
  };
}

function contextOf(name: string, subject: unknown, options: FetchErrorsOptions): Context {
  if (name === "fetch") {
    const pattern = attempt(() => options.pattern?.(subject as Request));
    return { kind: "route", method: filled(property(subject, "method")), pattern, response_status: 500 };
  }
  const [message] = attempt(() => property(subject, "messages") as unknown[]) ?? [];
  return {
    kind: "job",
    name: filled(property(subject, "cron")) ?? name,
    queue: filled(property(subject, "queue")),
    attempt: property(message, "attempts") as number | undefined,
  };
}
