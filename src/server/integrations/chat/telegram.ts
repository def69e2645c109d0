import type { ChatMessage } from "./chat-message.ts";
import { escapeEntity, fitText } from "./texts.ts";

/** After its HTML was read: https://core.telegram.org/bots/api#sendmessage */
const MAX_CHARACTERS = 4_096;
const MAX_TITLE = 300;
const MAX_FACT = 300;

/** The chat is part of the webhook's address. */
export function telegramMessage({ title, text, facts, url }: ChatMessage): object {
  const escape = escapeEntity;
  const heading = fitText(title, { max: MAX_TITLE, escape });
  const footer = facts
    .map(({ name, value }) => `${name}: ${fitText(value, { max: MAX_FACT, escape })}`)
    .join("\n");
  const body = fitText(text, { max: MAX_CHARACTERS - heading.length - footer.length - 2, escape });
  const link = url.replaceAll('"', "%22").replaceAll(/[&<>]/g, escapeEntity);
  const parts = [`<b><a href="${link}">${heading}</a></b>`, body, footer].filter((part) => part !== "");
  return { text: parts.join("\n"), parse_mode: "HTML", link_preview_options: { is_disabled: true } };
}
