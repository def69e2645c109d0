import type { Breadcrumb } from "./event.ts";

/** What led to an error: added by `setTag` and `addBreadcrumb`. */
export interface Trail {
  tags: Record<string, string>;
  breadcrumbs: Breadcrumb[];
}

/** A breadcrumb to add. The time is filled in. */
export type NewBreadcrumb = Omit<Breadcrumb, "timestamp"> & { timestamp?: string | undefined };
