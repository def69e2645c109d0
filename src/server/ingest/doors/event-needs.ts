/** What sending an error event needs: for the route, and for events that are received before the framework handles them. */
export const EVENT_NEEDS = {
  needs: "error-groups:create",
  feature: "error_tracking",
  projectToken: "read_write",
  area: "errors",
  reads: false,
} as const;
