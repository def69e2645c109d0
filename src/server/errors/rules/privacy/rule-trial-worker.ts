import { answerTasks } from "../../../ingest/patterns/task-thread.ts";
import { runTrial } from "./rule-trial.ts";

/** The worker thread that tries rules. */
answerTasks(runTrial);
