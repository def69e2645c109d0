import { readEvent } from "./read-event.ts";
import { answerWorkerReader } from "./worker-reader.ts";

/** The worker thread that EventReader starts. */
answerWorkerReader(readEvent);
