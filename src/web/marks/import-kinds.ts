import type { ImportKind } from "../../shared/import-kinds.ts";

/** The names of the programs that can be imported from. */
export const IMPORT_KIND_NAMES: Readonly<Record<ImportKind, string>> = {
  sentry: "Sentry",
  glitchtip: "GlitchTip",
  bugsink: "Bugsink",
  github: "GitHub",
  linear: "Linear",
  jira: "Jira",
  plane: "Plane",
  fider: "Fider",
  canny: "Canny",
  quackback: "Quackback",
  csv: "CSV file",
};
