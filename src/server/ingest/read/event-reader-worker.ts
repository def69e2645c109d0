import { readUnlessDropped } from "./read-unless-dropped.ts";
import { answerWorkerReader } from "./worker-reader.ts";

/** The worker thread that EventReader starts. */
answerWorkerReader(readUnlessDropped);
