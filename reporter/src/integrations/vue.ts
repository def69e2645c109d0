import type { AnyReporter } from "../core/current.ts";
import { reporterOf } from "../core/integration.ts";
import { type VueApp, vueDetails } from "../core/vue-details.ts";

export type { VueApp };

/**
 * Creates a plugin for Vue 3 that reports the errors of components, watchers and lifecycle hooks. An error handler that
 * was set before it still runs; without one, the error is written to the console, as Vue does in production.
 */
export function vueErrors(options: { reporter?: AnyReporter | undefined } = {}) {
  return {
    install(app: VueApp): void {
      const { config } = app;
      const next = config.errorHandler;
      config.errorHandler = function errorHandler(this: unknown, error, instance, info) {
        reporterOf(options)?.captureOnce(error, vueDetails(app));
        if (next) next.call(this, error, instance, info);
        // eslint-disable-next-line no-console -- developers expect the error there
        else console.error(error);
      };
    },
  };
}
