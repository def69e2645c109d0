import { chatMessage, type ChatOptions } from "./chat-message.ts";
import type { EventBody } from "./event-body.ts";

export type MessagePreview = { title: string; lines: string[]; link: string };

/** What people read in the chat, which is the same in all formats as long as nothing has to be cut. */
export function previewMessage(event: EventBody, options: ChatOptions): MessagePreview {
  const { title, text, facts, url } = chatMessage(event, options);
  const lines = [...text.split("\n"), ...facts.map(({ name, value }) => `${name}: ${value}`)];
  return { title, lines: lines.filter((line) => line.trim() !== ""), link: url };
}
