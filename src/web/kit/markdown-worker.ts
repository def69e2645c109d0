import { markdownHtml } from "./markdown-html.ts";

/** Renders long texts off the main thread. */
addEventListener("message", (event: MessageEvent<{ text: string; names: string[] }>) => {
  postMessage(markdownHtml(event.data.text, event.data.names));
});
