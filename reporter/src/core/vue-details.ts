import type { CaptureDetails } from "./options.ts";
import { attempt, filled, property } from "./safe.ts";

/** The used part of a Vue application. */
export interface VueApp {
  version?: string;
  config: {
    // `never`, because the types of Vue's instances differ between its versions: each of their handlers is assignable.
    errorHandler?: ((error: unknown, instance: never, info: string) => void) | undefined;
    globalProperties: object;
  };
}

/** Framework and, with Vue Router, the declared path of the current route. */
export function vueDetails({ version, config }: VueApp): CaptureDetails {
  const router = property(config.globalProperties, "$router");
  const matched = attempt(() => property(property(property(router, "currentRoute"), "value"), "matched"));
  const pattern = filled(property(Array.isArray(matched) ? matched.at(-1) : undefined, "path"));
  return {
    framework: { name: "Vue", version },
    // Nuxt declares `:id` as `:id()`.
    context: pattern === undefined ? undefined : { kind: "route", pattern: pattern.replaceAll("()", "") },
  };
}
