import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { answerTasks } from "../../ingest/patterns/task-thread.ts";
import { receiveFile } from "./file-port.ts";
import { runMapTask, type MapMessage } from "./map-task.ts";

const NICE = 10;

/**
 * With two processors, a thread of the same priority makes requests wait. Only on Linux, where threads have priorities of their own.
 */
function lowerPriority(): void {
  try {
    setPriority(Number(readlinkSync("/proc/thread-self").split("/").at(-1)), NICE);
  } catch {
    // There is no such file, or it is not permitted, for example by a seccomp profile.
  }
}

lowerPriority();
answerTasks(({ file, ...task }: MapMessage) =>
  runMapTask(file ? { ...task, file: receiveFile(file) } : task),
);
