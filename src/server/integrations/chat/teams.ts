import type { ChatMessage } from "./chat-message.ts";
import { fitText } from "./texts.ts";

/** Together at most 28 KB: a UTF-16 unit takes at most three bytes. */
const MAX_TITLE = 256;
const MAX_TEXT = 4_000;
const MAX_FACT = 256;

/** Rich text blocks, because the texts of others are Markdown. */
export function teamsMessage({ title, text, facts, url }: ChatMessage): object {
  return {
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          body: [
            paragraph(fitText(title, { max: MAX_TITLE }), { weight: "Bolder", size: "Medium" }),
            ...(text === "" ? [] : [paragraph(fitText(text, { max: MAX_TEXT }))]),
            ...facts.map(({ name, value }) =>
              paragraph(`${name}: ${fitText(value, { max: MAX_FACT })}`, { isSubtle: true }),
            ),
          ],
          actions: [{ type: "Action.OpenUrl", title: "Open in Signalbox", url }],
        },
      },
    ],
  };
}

const paragraph = (text: string, style: object = {}) => ({
  type: "RichTextBlock",
  inlines: [{ type: "TextRun", text, ...style }],
});
