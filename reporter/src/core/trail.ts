import type { Breadcrumb } from "./event.ts";

/** What led to an error: added by `setTag` and `addBreadcrumb`. */
export interface Trail {
  tags: Record<string, string>;
  breadcrumbs: Breadcrumb[];
}

/** A breadcrumb without the time, which is added. */
export type NewBreadcrumb = Omit<Breadcrumb, "timestamp"> & { timestamp?: string | undefined };
