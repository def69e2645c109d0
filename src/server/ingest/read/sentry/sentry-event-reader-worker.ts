import { answerWorkerReader } from "../worker-reader.ts";
import { readSentryBytes } from "./read-sentry-bytes.ts";

/** The worker thread that SentryEventReader starts. */
answerWorkerReader(readSentryBytes);
