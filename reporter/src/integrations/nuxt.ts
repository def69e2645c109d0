import type { AnyReporter } from "../core/current.ts";
import { reporterOf } from "../core/integration.ts";
import { isReported, requestDetails, type RequestOptions, statusOf } from "../core/response.ts";
import { filled, property } from "../core/safe.ts";
import { type VueApp, vueDetails } from "../core/vue-details.ts";

/** The used part of Nuxt's application. */
export interface NuxtApp {
  vueApp: VueApp;
  hook(name: "vue:error" | "app:error", listener: (error: unknown) => void): unknown;
}

/**
 * Returns a plugin for Nuxt's `plugins` folder that reports the errors of components, in browsers and while a page is
 * rendered on the server.
 */
export function nuxtErrors(options: { reporter?: AnyReporter | undefined } = {}) {
  return (nuxtApp: NuxtApp): void => {
    const capture = (failure: unknown) => {
      if (statusOf(failure) < 500) return;
      const { framework: vue, ...details } = vueDetails(nuxtApp.vueApp);
      const framework = { name: "Nuxt", version: filled(property(property(nuxtApp, "versions"), "nuxt")) };
      reporterOf(options)?.captureOnce(thrown(failure), {
        ...details,
        framework: framework.version ? framework : vue,
      });
    };
    nuxtApp.hook("vue:error", capture);
    nuxtApp.hook("app:error", capture);
  };
}

/** The used part of Nitro, Nuxt's server. */
export interface NitroApp {
  hooks: {
    hook(
      name: "error",
      listener: (error: unknown, where: { event?: NitroEvent | undefined }) => void,
    ): unknown;
  };
}

/** The used part of a request in Nitro; annotate your callbacks with `H3Event`. */
export interface NitroEvent {
  method?: string;
  context?: object;
}

/** Returns a plugin for Nuxt's `server/plugins` folder that reports the errors of API routes and pages. */
export function nitroErrors<Event extends NitroEvent = NitroEvent>(options: RequestOptions<Event> = {}) {
  return (nitroApp: NitroApp): void => {
    nitroApp.hooks.hook("error", (error, { event }) => {
      const cause = thrown(error);
      const status = statusOf(error);
      const reporter = reporterOf(options);
      if (!reporter || !isReported(cause, status, options)) return;
      if (!event) return reporter.captureOnce(cause, { framework: { name: "Nuxt" } });
      const path = filled(property(property(event.context, "matchedRoute"), "path"));
      // Nuxt renders pages in a route for all paths.
      const pattern = path === "/**" ? undefined : path;
      const context = { method: event.method, pattern, response_status: status };
      reporter.captureOnce(
        cause,
        requestDetails(event as Event, options, { framework: "Nuxt", context }),
        event,
      );
    });
  };
}

/** Nuxt and Nitro wrap an error in one of their own, with a status and the same message. */
function thrown(error: unknown): unknown {
  const cause = property(error, "cause");
  return cause && property(cause, "message") === property(error, "message") ? cause : error;
}
