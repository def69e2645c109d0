import { markdownHtml } from "./markdown-html.ts";

/** Renders long texts where they hold up nobody. */
addEventListener("message", (event: MessageEvent<{ text: string; names: string[] }>) => {
  postMessage(markdownHtml(event.data.text, event.data.names));
});
