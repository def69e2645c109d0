import { readBody, OfflineError } from "../api/client.ts";
import { sentSession } from "../api/session-end.ts";

type Options = { onProgress: (part: number) => void; signal: AbortSignal };

/** Sends a form with files and reports progress from 0 to 1. Throws the same errors as `api`, or an AbortError. */
export function sendForm<T>(path: string, form: FormData, { onProgress, signal }: Options): Promise<T> {
  return new Promise((resolve, reject) => {
    const session = sentSession();
    const request = new XMLHttpRequest();
    request.open("POST", path);
    request.setRequestHeader("accept", "application/json");
    request.upload.addEventListener("progress", ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total);
    });
    request.addEventListener("load", () => {
      try {
        const { status, responseText: text } = request;
        const retryAfter = request.getResponseHeader("retry-after");
        resolve(readBody({ path, status, text, retryAfter }, session) as T);
      } catch (error) {
        reject(error);
      }
    });
    request.addEventListener("error", () => reject(new OfflineError()));
    request.addEventListener("abort", () => reject(new DOMException("Canceled", "AbortError")));
    if (signal.aborted) return reject(new DOMException("Canceled", "AbortError"));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(form);
  });
}
