import { matches } from "./check-content.ts";
import { OUT_OF_MEMORY, type SquareTask, type Task, type Verdict } from "./worker-messages.ts";
import { convertToSquare, convertToWebp, ImageRefusal, type Converted } from "./convert-image.ts";
import { extensionOf, kindOf } from "./kinds.ts";

/** The other side of FileExaminer: a process of its own, without the server's settings, that looks at one file after the other. */

const MEMORY_LIMIT = Number(process.argv[2]);

process.on("message", (task: Task | SquareTask) => {
  void examine(task).then((verdict) => process.send?.(verdict));
});
// The server is gone: nobody waits for an answer.
process.on("disconnect", () => process.exit());

// Decoding happens on other threads, so that this one can watch what it takes.
setInterval(() => {
  if (process.memoryUsage.rss() > MEMORY_LIMIT) process.exit(OUT_OF_MEMORY);
}, 20);

async function examine(task: Task | SquareTask): Promise<Verdict> {
  const { file, filename } = task;
  try {
    const kind = kindOf(filename);
    if (!kind || !(await matches(file, kind)))
      return { refused: "does not have the content its name promises" };
    const format = extensionOf(filename);
    if ("square" in task) {
      if (kind.content.as !== "image") return { refused: "is not an image" };
      const { avif, webp } = await convertToSquare(file, format, task.square);
      return { avif: told(avif), webp: told(webp) };
    }
    if (kind.content.as !== "image") return { mime_type: kind.mime_type };
    return { mime_type: kind.mime_type, converted: told(await convertToWebp(file, format, task.target)) };
  } catch (error) {
    if (error instanceof ImageRefusal) return { refused: error.message };
    return { failed: String((error as Error).stack) };
  }
}

/** As it goes from process to process. */
function told({ size, sha256 }: Converted) {
  return { size, sha256: Buffer.from(sha256).toString("hex") };
}
