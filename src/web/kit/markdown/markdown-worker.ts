import { markdownHtml, type Readable } from "../../../shared/markdown/html.ts";

/** Renders long texts off the main thread. */
addEventListener("message", (event: MessageEvent<{ text: string; readable: Readable }>) => {
  postMessage(markdownHtml(event.data.text, event.data.readable));
});
