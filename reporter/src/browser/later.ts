import type { ProjectTarget } from "../core/target.ts";
import type { NewBreadcrumb } from "../core/trail.ts";
import { record } from "./breadcrumbs.ts";
import type { BrowserOptions } from "./options.ts";

/**
 * The parts of `init` that can wait, in a separate file that is loaded after the page's own scripts have started. Returns functions
 * that stop them.
 */
export function startLater(
  add: (breadcrumb: NewBreadcrumb) => void,
  options: BrowserOptions,
  { url, headers }: ProjectTarget,
  log: (line: string) => void,
): (() => void)[] {
  const { authorization } = headers;
  if (authorization && !/ [\da-f]{32}$/.test(authorization))
    log("this is not an ingest key: every visitor of the page can read a project token and use it");
  return record(add, options, url);
}
