import type { ChatPreview, Webhook, WebhookEventName } from "../../../shared/webhooks.ts";
import { previewMessage } from "../chat/preview-message.ts";
import { sampleEvent } from "../chat/sample-event.ts";

/** One of each kind of object, so that the preview stays short. */
const SAMPLES: WebhookEventName[] = [
  "error_group.created",
  "report.created",
  "issue.closed",
  "comment.created",
  "release.deployed",
  "epic.updated",
  "sprint.updated",
];

/** What the messages of a chat say, with objects from the API reference. Only kinds that the webhook is told of. */
export function previewMessages(
  { events }: Pick<Webhook, "events">,
  publicUrl: string,
  project: { id: number; key: string } | null,
): ChatPreview[] {
  const kinds = new Set(events.map((name) => name.split(".")[0]));
  return SAMPLES.filter((type) => kinds.has("*") || kinds.has(type.split(".")[0])).map((type) => ({
    event: type,
    ...previewMessage(sampleEvent(type, { project, actor: null }), { publicUrl }),
  }));
}
