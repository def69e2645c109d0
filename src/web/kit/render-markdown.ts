/** Longer texts are rendered in a worker. */
const LONG = 20_000;
const MOST_MS = 5_000;

/**
 * Renders Markdown as safe HTML, loading the renderer on first use. Rejects when it cannot be loaded or takes longer
 * than 5 s.
 */
export async function renderMarkdown(text: string, names: readonly string[]): Promise<string> {
  if (text.length > LONG) return renderInWorker(text, names);
  const { markdownHtml } = await import("./markdown-html.ts");
  return markdownHtml(text, names);
}

function renderInWorker(text: string, names: readonly string[]): Promise<string> {
  const worker = new Worker(new URL("./markdown-worker.ts", import.meta.url), { type: "module" });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const timer = setTimeout(() => reject(new Error("The text took too long to render.")), MOST_MS);
  worker.addEventListener("message", (event: MessageEvent<string>) => resolve(event.data));
  worker.addEventListener("error", () => reject(new Error("The text could not be rendered.")));
  worker.postMessage({ text, names });
  return promise.finally(() => {
    clearTimeout(timer);
    worker.terminate();
  });
}
