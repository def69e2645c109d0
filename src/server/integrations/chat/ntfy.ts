import type { ChatMessage } from "./chat-message.ts";
import { fitText } from "./texts.ts";

/** Longer messages become attachments: https://docs.ntfy.sh/publish/#limitations */
const MAX_BYTES = 4_096;
const MAX_TITLE = 250;
const MAX_FACT = 250;
/** So that an encoded word has at most 75 characters. */
const MAX_WORD_BYTES = 45;

export function ntfyMessage({ title, text, facts, url, tag }: ChatMessage) {
  const footer = facts.map(({ name, value }) => `${name}: ${fitText(value, { max: MAX_FACT })}`).join("\n");
  const start = fitText(text, {
    max: MAX_BYTES - Buffer.byteLength(footer) - 1,
    measure: (part) => Buffer.byteLength(part),
  });
  return {
    headers: {
      "content-type": "text/plain; charset=utf-8",
      title: encodeHeader(fitText(title, { max: MAX_TITLE })),
      click: url,
      tags: tag,
    },
    body: [start, footer].filter((part) => part !== "").join("\n"),
  };
}

/** Headers are ASCII; ntfy decodes the words of RFC 2047. */
function encodeHeader(text: string): string {
  if (/^[ -~]*$/.test(text) && !text.includes("=?")) return text;
  const words = [""];
  for (const character of text) {
    const last = words.length - 1;
    if (Buffer.byteLength(`${words[last]}${character}`) > MAX_WORD_BYTES) words.push(character);
    else words[last] += character;
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString("base64")}?=`).join(" ");
}
