import { matches } from "./content.ts";
import { OUT_OF_MEMORY, type Task, type Verdict } from "./file-examiner.ts";
import { convertToWebp, ImageRefusal } from "./image.ts";
import { extensionOf, kindOf } from "./kinds.ts";

/** The other side of FileExaminer: a process of its own, without the server's settings, that looks at one file after the other. */

const MEMORY_LIMIT = Number(process.argv[2]);

process.on("message", (task: Task) => {
  void examine(task).then((verdict) => process.send?.(verdict));
});
// The server is gone: nobody waits for an answer.
process.on("disconnect", () => process.exit());

// Decoding happens on other threads, so that this one can watch what it takes.
setInterval(() => {
  if (process.memoryUsage.rss() > MEMORY_LIMIT) process.exit(OUT_OF_MEMORY);
}, 20);

async function examine({ file, filename, target }: Task): Promise<Verdict> {
  try {
    const kind = kindOf(filename);
    if (!kind || !(await matches(file, kind)))
      return { refused: "does not have the content its name promises" };
    if (kind.content.as !== "image") return { mime_type: kind.mime_type };
    const { size, sha256 } = await convertToWebp(file, extensionOf(filename), target);
    return { mime_type: kind.mime_type, converted: { size, sha256: Buffer.from(sha256).toString("hex") } };
  } catch (error) {
    if (error instanceof ImageRefusal) return { refused: error.message };
    return { failed: String((error as Error).stack) };
  }
}
