import { readBody } from "./read-by-protocol.ts";
import { answerWorkerReader } from "./read/worker-reader.ts";

/** The worker thread that EventReader starts. */
answerWorkerReader(readBody);
