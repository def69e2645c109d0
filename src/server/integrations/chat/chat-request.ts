import type { WebhookFormat } from "../../../shared/webhooks.ts";
import { chatMessage, type ChatOptions } from "./chat-message.ts";
import { discordMessage } from "./discord.ts";
import type { EventBody } from "./event-body.ts";
import { ntfyMessage } from "./ntfy.ts";
import { slackMessage } from "./slack.ts";
import { teamsMessage } from "./teams.ts";
import { telegramMessage } from "./telegram.ts";

export type ChatFormat = Exclude<WebhookFormat, "signalbox">;

const JSON_MESSAGES = {
  slack: slackMessage,
  discord: discordMessage,
  teams: teamsMessage,
  telegram: telegramMessage,
};

/** The message about an event, in the form and within the limits of the service. */
export function chatRequest(
  format: ChatFormat,
  event: EventBody,
  options: ChatOptions,
): { headers: Record<string, string>; body: string } {
  const message = chatMessage(event, options);
  if (format === "ntfy") return ntfyMessage(message);
  return {
    headers: { "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify(JSON_MESSAGES[format](message)),
  };
}
