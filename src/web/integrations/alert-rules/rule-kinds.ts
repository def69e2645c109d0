import type { AlertKind } from "../../../shared/alert-rules.ts";

type Kind = {
  label: string;
  /** What the rule fires for. Only rules about errors can create issues and assign; reports and releases have no conditions. */
  about: "error" | "project" | "release" | "report";
  fields: readonly ("count" | "below" | "sessions" | "minutes" | "days")[];
  /** What is counted. */
  unit?: string;
};

/** When a rule can fire, in the order of the picker. */
export const KINDS: Record<AlertKind, Kind> = {
  new_group: { label: "A new error appears", about: "error", fields: [] },
  regression: { label: "A resolved error comes back", about: "error", fields: [] },
  spike: { label: "An error spikes", about: "error", fields: [] },
  snooze_ended: { label: "The snooze of an error ends", about: "error", fields: [] },
  group_events: {
    label: "An error passes a number of events",
    about: "error",
    fields: ["count", "minutes"],
    unit: "Events",
  },
  group_users: {
    label: "An error affects more than a number of users",
    about: "error",
    fields: ["count", "minutes"],
    unit: "Users",
  },
  project_events: {
    label: "The project passes a number of events",
    about: "project",
    fields: ["count", "minutes"],
    unit: "Events",
  },
  release_new_groups: {
    label: "A release has more than a number of new errors",
    about: "release",
    fields: ["count"],
    unit: "New errors",
  },
  release_crash_free: {
    label: "Too few sessions of a release are crash-free",
    about: "release",
    fields: ["below", "sessions", "minutes"],
  },
  report_created: { label: "A report is created", about: "report", fields: [] },
  report_waiting: { label: "A report waits for a number of days", about: "report", fields: ["days"] },
};

export const KIND_OPTIONS = Object.entries(KINDS).map(([value, { label }]) => ({ value, label }));

export const hasConditions = (kind: AlertKind): boolean =>
  KINDS[kind].about === "error" || KINDS[kind].about === "project";
