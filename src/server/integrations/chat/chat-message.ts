import type { EventBody } from "./event-body.ts";
import { alertTitle, describeObject } from "./describe-object.ts";
import { readText, toLine } from "./texts.ts";

/** What a chat message says, before it is cut and escaped for a service. */
export type ChatMessage = {
  /** A single line. */
  title: string;
  /** A comment, a description or the message of an error. Empty if there is none. */
  text: string;
  /** Names and values, such as the project and the release. */
  facts: { name: string; value: string }[];
  url: string;
  /** The emoji of ntfy: https://docs.ntfy.sh/emojis */
  tag: string;
};

export type ChatOptions = {
  publicUrl: string;
  /** Events about the same error since the last message, which got no message of their own. */
  more?: number;
};

const TITLES: Record<string, string> = {
  "report.created": "New report",
  "report.promoted": "Report promoted",
  "report.dismissed": "Report dismissed",
  "report.restored": "Report restored",
  "report.replied": "New reply to report",
  "report.done": "Report done",
  "report.deleted": "Report deleted",
  "issue.created": "New issue",
  "issue.updated": "Issue updated",
  "issue.deleted": "Issue deleted",
  "issue.moved": "Issue moved",
  "issue.closed": "Issue closed",
  "issue.reopened": "Issue reopened",
  "issue.development_changed": "Issue progress",
  "comment.created": "New comment",
  "error_group.created": "New error",
  "error_group.regressed": "Regression",
  "error_group.resolved": "Error resolved",
  "error_group.ignored": "Error ignored",
  "error_group.snoozed": "Error snoozed",
  "error_group.reopened": "Error reopened",
  "error_group.assigned": "Error assigned",
  "error_group.merged": "Errors merged",
  "error_group.split": "Error split",
  "error_group.spiking": "Error spiking",
  "release.created": "New release",
  "release.deployed": "Release deployed",
  "epic.created": "New epic",
  "epic.updated": "Epic updated",
  "epic.deleted": "Epic deleted",
  "sprint.created": "New sprint",
  "sprint.updated": "Sprint updated",
  "sprint.deleted": "Sprint deleted",
  "alert.fired": "Alert",
  "alert.recovered": "Recovered",
  "webhook.test": "Test",
};

const TAGS: Record<string, string> = {
  report: "speech_balloon",
  issue: "clipboard",
  comment: "speech_balloon",
  error_group: "beetle",
  release: "package",
  epic: "clipboard",
  sprint: "calendar",
  alert: "rotating_light",
  webhook: "wave",
};

/** What the message about an event says. */
export function chatMessage(event: EventBody, { publicUrl, more = 0 }: ChatOptions): ChatMessage {
  const kind = event.type.split(".")[0] ?? "";
  const object = describeObject(event);
  const subject = kind === "alert" ? alertTitle(event, object.name) : object.name;
  const title = [TITLES[event.type] ?? event.type, subject].filter((part) => part !== "").join(": ");
  const { actor, project } = event;
  const facts = [
    { name: "Project", value: project?.key ?? "" },
    { name: "Environment", value: object.environment },
    { name: "Release", value: object.release },
    { name: "By", value: actor ? `${readText(actor.first_name)} ${readText(actor.last_name)}` : "" },
    { name: "More", value: more > 0 ? `+${more} more since` : "" },
  ].map(({ name, value }) => ({ name, value: toLine(value) }));
  return {
    title: toLine(title),
    text: object.text,
    facts: facts.filter(({ value }) => value !== ""),
    url: `${publicUrl}${object.path}`,
    tag: TAGS[kind] ?? "bell",
  };
}
