import { readBody } from "./read-body.ts";
import { answerWorkerReader } from "./read/worker-reader.ts";

/** The worker thread that EventReader starts. */
answerWorkerReader(readBody);
