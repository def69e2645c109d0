import type { ImportKind } from "../../../../../shared/import-kinds.ts";
import type { Source } from "../item.ts";

/** Each is loaded only when it is used. */
const SOURCES: Partial<Record<ImportKind, () => Promise<Source>>> = {
  sentry: async () => (await import("./sentry.ts")).sentry,
  glitchtip: async () => (await import("./sentry.ts")).glitchtip,
  bugsink: async () => (await import("./bugsink.ts")).bugsink,
  plane: async () => (await import("./plane.ts")).plane,
  fider: async () => (await import("./fider.ts")).fider,
  canny: async () => (await import("./canny.ts")).canny,
  quackback: async () => (await import("./quackback.ts")).quackback,
  github: async () => (await import("./github.ts")).github,
  linear: async () => (await import("./linear.ts")).linear,
  jira: async () => (await import("./jira.ts")).jira,
  csv: async () => (await import("./csv.ts")).csv,
};

/** Undefined if there is no source of this kind. */
export const loadSource = (kind: string): Promise<Source> | undefined =>
  Object.hasOwn(SOURCES, kind) ? SOURCES[kind as ImportKind]?.() : undefined;
