import { markdownHtml, type Readable } from "../../../shared/markdown/html.ts";

/** First, without HTML, that the renderer is loaded. */
export type Answer = { html?: string };

/** Renders long texts off the main thread. */
addEventListener("message", (event: MessageEvent<{ text: string; readable: Readable }>) => {
  postMessage({} satisfies Answer);
  postMessage({ html: markdownHtml(event.data.text, event.data.readable) } satisfies Answer);
});
