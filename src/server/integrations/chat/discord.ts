import type { ChatMessage } from "./chat-message.ts";
import { fitText } from "./texts.ts";

/** https://docs.discord.com/developers/resources/message#embed-object-embed-limits; 6,000 characters in all. */
const MAX_TITLE = 256;
const MAX_DESCRIPTION = 4_096;
const MAX_FACT = 256;

export function discordMessage({ title, text, facts, url }: ChatMessage): object {
  const escape = escapeMarkdown;
  return {
    embeds: [
      {
        title: fitText(title, { max: MAX_TITLE, escape }),
        url,
        ...(text === "" ? {} : { description: fitText(text, { max: MAX_DESCRIPTION, escape }) }),
        fields: facts.map(({ name, value }) => ({
          name,
          value: fitText(value, { max: MAX_FACT, escape }),
          inline: true,
        })),
      },
    ],
    allowed_mentions: { parse: [] },
  };
}

/** Texts from outside must not become links or headings. */
const escapeMarkdown = (character: string) =>
  /[\\*_~`|>#[\]()<]/.test(character) ? `\\${character}` : character;
