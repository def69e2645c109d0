import { answerTasks } from "../../ingest/patterns/task-thread.ts";
import { runMapTask } from "./map-task.ts";

/** The worker thread that SourceMapReader starts. */
answerTasks(runMapTask);
