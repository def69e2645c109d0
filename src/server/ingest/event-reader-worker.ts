import { readExport, type ExportTask } from "./read/otlp/read-export.ts";
import { answerQuestion, type Question } from "./read/worker-reader.ts";
import { answerTasks } from "./patterns/task-thread.ts";
import { readBody, type How } from "./read-by-protocol.ts";

/** The worker thread that EventReader starts. It reads single events, and requests with exceptions from OpenTelemetry. */
answerTasks((task: Question<How> | ExportTask) =>
  "encoding" in task
    ? readExport(Buffer.from(task.body.buffer, task.body.byteOffset, task.body.byteLength), task.encoding)
    : answerQuestion(task, readBody),
);
