import { answerTasks } from "../../patterns/task-thread.ts";
import { readExport, type ExportTask } from "../../read/otlp/read-export.ts";

/** The worker thread that ExportReader starts. */
answerTasks(({ body, encoding }: ExportTask) =>
  readExport(Buffer.from(body.buffer, body.byteOffset, body.byteLength), encoding),
);
