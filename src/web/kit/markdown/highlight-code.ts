import type { Answer, Code } from "./highlight-worker.ts";

const MAX_MS = 2_000;

/**
 * Colors the code of elements by the language in their class, `language-ts`. It happens in a worker, because the
 * highlighter takes seconds for hostile code. Code that takes longer than 2 s keeps one color; the time in which the
 * highlighter loads does not count.
 */
export function highlightCode(elements: readonly HTMLElement[]): void {
  const codes: Code[] = elements.map((element) => ({
    text: element.textContent,
    language: element.className.replace("language-", ""),
  }));
  const worker = new Worker(new URL("./highlight-worker.ts", import.meta.url), { type: "module" });
  let timer: ReturnType<typeof setTimeout> | undefined;
  worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
    if (data === "loaded") return void (timer = setTimeout(() => worker.terminate(), MAX_MS));
    clearTimeout(timer);
    worker.terminate();
    for (const [index, element] of elements.entries()) {
      const html = data[index];
      // The highlighter escapes the code, and adds `span` elements with classes only.
      if (typeof html === "string") element.innerHTML = html;
    }
  });
  worker.postMessage(codes);
}
