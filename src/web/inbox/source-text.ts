import type { Notification } from "../../shared/notifications.ts";
import { KINDS } from "./kinds.ts";

type Entry = Pick<Notification, "type" | "message" | "notifiable">;

/** The line below an entry without a comment: what it does not say itself about its kind, its thing and the project. */
export function sourceText({ type, message, notifiable }: Entry, names: ReadonlyMap<number, string>): string {
  const { name } = KINDS[type];
  if (notifiable.type === "project" || notifiable.type === "team") return join(name, notifiable.name);
  const project = names.get(notifiable.project_id);
  if (notifiable.type === "error_group" && notifiable.message !== "")
    // Messages of errors can be long, so the project comes first.
    return join(project && message.includes(project) ? undefined : project, notifiable.message);
  return join(name, notifiable.type === "issue" ? notifiable.key : `#${notifiable.id}`, project);
}

const join = (...parts: (string | undefined)[]) => parts.filter((part) => part !== undefined).join(" · ");
