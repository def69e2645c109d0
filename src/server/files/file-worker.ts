import { hasContentOf } from "./check-content.ts";
import { convertToSquare, convertToWebp, makeThumbnail, type Converted } from "./convert-image.ts";
import { extensionOf, kindOf } from "./kinds.ts";
import { ImageRefusal } from "./open-image.ts";
import {
  OUT_OF_MEMORY,
  OUT_OF_TIME,
  type ExamineTask,
  type SquareTask,
  type WorkerAnswer,
} from "./worker-messages.ts";

/**
 * The process that FileProcess starts. It examines one file at a time and has no access to the server's settings.
 */

const MAX_MEMORY_BYTES = Number(process.argv[2]);

const MAX_CPU_US = Number(process.argv[3]) * 1_000;

/** The CPU time of the process when the current file began. */
let cpuBefore: NodeJS.CpuUsage | undefined;

process.on("message", (task: ExamineTask | SquareTask) => {
  cpuBefore = process.cpuUsage();
  void run(task).then((answer) => {
    cpuBefore = undefined;
    process.send?.(answer);
  });
});
process.on("disconnect", () => process.exit());

// Images are decoded on other threads, so this thread can watch what they use.
setInterval(() => {
  const { user, system } = process.cpuUsage(cpuBefore);
  if (cpuBefore && user + system > MAX_CPU_US) process.exit(OUT_OF_TIME);
  if (process.memoryUsage.rss() > MAX_MEMORY_BYTES) process.exit(OUT_OF_MEMORY);
}, 20);

async function run(task: ExamineTask | SquareTask): Promise<WorkerAnswer> {
  const { file, filename } = task;
  try {
    const kind = kindOf(filename);
    if (!kind || !(await hasContentOf(file, kind)))
      return { refused: "does not have the content its name promises" };
    const format = extensionOf(filename);
    if ("square" in task) {
      if (kind.content.as !== "image") return { refused: "is not an image" };
      const { avif, webp } = await convertToSquare(file, format, task.square);
      return { avif: serialize(avif), webp: serialize(webp) };
    }
    if (kind.content.as !== "image") return { mime_type: kind.mime_type };
    const converted = serialize(await convertToWebp(file, format, task.target));
    const thumbnail = (await makeThumbnail(file, format)).toString("base64");
    return { mime_type: kind.mime_type, converted: { ...converted, thumbnail } };
  } catch (error) {
    if (error instanceof ImageRefusal) return { refused: error.message };
    return { failed: String((error as Error).stack) };
  }
}

/** Messages between processes are JSON. */
function serialize({ size, sha256 }: Converted) {
  return { size, sha256: Buffer.from(sha256).toString("hex") };
}
