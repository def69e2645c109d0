import type { Readable } from "../../../shared/markdown/html.ts";
import type * as renderer from "./markdown-renderer.ts";
import type { Answer } from "./markdown-worker.ts";

/** Longer texts are rendered in a worker. */
const LONG = 20_000;
const MAX_MS = 5_000;

type Renderer = Pick<typeof renderer, "markdownHtml" | "tickTask">;

let loaded: Renderer | undefined;

const load = async (): Promise<Renderer> => (loaded ??= await import("./markdown-renderer.ts"));

/** The safe HTML of a Markdown text, if the renderer has been loaded and the text is not long. */
export function renderNow(text: string, readable: Readable): string | undefined {
  return text.length > LONG ? undefined : loaded?.markdownHtml(text, readable);
}

/**
 * Renders Markdown as safe HTML, loading the renderer on first use. Rejects when it cannot be loaded or takes longer
 * than 5 s, without the time in which it is loaded.
 */
export async function renderMarkdown(text: string, readable: Readable): Promise<string> {
  if (text.length > LONG) return renderInWorker(text, readable);
  return (await load()).markdownHtml(text, readable);
}

/** A change of a text that ticks or clears a task in it; undefined if the task is not found in the text. */
export type Tick = (current: string) => string | undefined;

export async function tickOf(text: string, line: number, done: boolean): Promise<Tick> {
  const { tickTask } = await load();
  return (current) => tickTask(text, line, done, current);
}

function renderInWorker(text: string, readable: Readable): Promise<string> {
  const worker = new Worker(new URL("./markdown-worker.ts", import.meta.url), { type: "module" });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
    if (data.html !== undefined) return resolve(data.html);
    timer = setTimeout(() => reject(new Error("The text took too long to render.")), MAX_MS);
  });
  worker.addEventListener("error", () => reject(new Error("The text could not be rendered.")));
  worker.postMessage({ text, readable });
  return promise.finally(() => {
    clearTimeout(timer);
    worker.terminate();
  });
}
