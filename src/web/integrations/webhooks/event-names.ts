import type { WEBHOOK_EVENTS, WebhookEventName } from "../../../shared/webhooks.ts";

type Kind = keyof typeof WEBHOOK_EVENTS;
type Verb<K extends Kind> = (typeof WEBHOOK_EVENTS)[K][number];

/** The events of each kind of object in words. */
const EVENTS: { [K in Kind]: { label: string; verbs: Record<Verb<K>, string> } } = {
  issue: {
    label: "Issues",
    verbs: {
      created: "Created",
      updated: "Updated",
      moved: "Moved to another lane",
      closed: "Closed",
      reopened: "Reopened",
      development_changed: "Commits and reviews changed",
      deleted: "Deleted",
    },
  },
  error_group: {
    label: "Errors",
    verbs: {
      created: "New",
      regressed: "Regressed",
      spiking: "Spiking",
      assigned: "Assigned",
      resolved: "Resolved",
      ignored: "Ignored",
      snoozed: "Snoozed",
      reopened: "Reopened",
      merged: "Merged",
      split: "Split",
    },
  },
  report: {
    label: "Reports",
    verbs: {
      created: "Created",
      replied: "Replied",
      promoted: "Promoted",
      dismissed: "Dismissed",
      restored: "Restored",
      done: "Done",
      deleted: "Deleted",
    },
  },
  comment: { label: "Comments", verbs: { created: "Created" } },
  release: { label: "Releases", verbs: { created: "Created", deployed: "Deployed" } },
  epic: { label: "Epics", verbs: { created: "Created", updated: "Updated", deleted: "Deleted" } },
  sprint: { label: "Sprints", verbs: { created: "Created", updated: "Updated", deleted: "Deleted" } },
};

/** The kinds of objects, each with the events that a webhook can subscribe to. */
export const EVENT_KINDS = Object.entries(EVENTS).map(([kind, { label, verbs }]) => ({
  kind,
  label,
  events: Object.entries(verbs).map(([verb, name]) => ({ value: `${kind}.${verb}`, label: name })),
}));

/** What rules and tests send. */
const OTHERS: Partial<Record<WebhookEventName, string>> = {
  "alert.fired": "Alert fired",
  "alert.recovered": "Alert recovered",
  "webhook.test": "Test",
};

const NAMES = new Map([
  ...EVENT_KINDS.flatMap(({ label, events }) =>
    events.map((event) => [event.value, `${label}: ${event.label.toLowerCase()}`] as const),
  ),
  ...Object.entries(OTHERS),
]);

/** "Issues: closed". An event of a later version is shown as it is. */
export const nameOfEvent = (event: string): string => NAMES.get(event) ?? event;

/** The choices of a filter by event. */
export const EVENT_CHOICES = [...NAMES].map(([value, label]) => ({ value, label }));

/** "All events", or the kinds of objects that the events are about. */
export function summaryOf(events: readonly string[]): string {
  if (events.includes("*")) return "All events";
  const kinds = EVENT_KINDS.filter(({ kind }) => events.some((event) => event.startsWith(`${kind}.`)));
  return kinds.map(({ label }) => label).join(", ");
}
