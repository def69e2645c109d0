import type { ChatMessage } from "./chat-message.ts";
import { escapeEntity, fitText } from "./texts.ts";

const MAX_TITLE = 250;
/** Of a section: https://docs.slack.dev/reference/block-kit/blocks/section-block */
const MAX_SECTION = 3_000;
const MAX_FACTS = 1_500;

/** Slack shows the blocks; Mattermost and Rocket.Chat show the text. */
export function slackMessage({ title, text, facts, url }: ChatMessage): object {
  const escape = escapeEntity;
  const link = url.replaceAll("|", "%7C").replaceAll(/[&<>]/g, escapeEntity);
  const heading = `*<${link}|${fitText(title, { max: MAX_TITLE, escape })}>*`;
  const body = fitText(text, { max: MAX_SECTION, escape });
  const footer = fitText(facts.map(({ name, value }) => `${name}: ${value}`).join("  ·  "), {
    max: MAX_FACTS,
    escape,
  });
  const parts = [heading, body, footer].filter((part) => part !== "");
  return {
    text: withoutMentions(parts.join("\n")),
    blocks: [
      { type: "section", text: { type: "mrkdwn", text: heading } },
      ...(body === "" ? [] : [{ type: "section", text: { type: "plain_text", text: body, emoji: false } }]),
      ...(footer === "" ? [] : [{ type: "context", elements: [{ type: "mrkdwn", text: footer }] }]),
    ],
  };
}

/** Mattermost notifies everyone in the channel of these words. */
const withoutMentions = (text: string) => text.replaceAll(/@(?=(?:all|channel|here)\b)/gi, "@\u200B");
