import type { Command } from "./command.ts";
import { makeCompletion } from "./commands/completion.ts";
import { errorStatusCommands } from "./commands/error-status.ts";
import { errorCommands } from "./commands/errors.ts";
import { makeHelp } from "./commands/help.ts";
import { issueCommands } from "./commands/issues.ts";
import { monitorCommands } from "./commands/monitors.ts";
import { releaseCommands } from "./commands/releases.ts";
import { reportCommands } from "./commands/reports.ts";
import { signInCommands } from "./commands/sign-in.ts";
import { uploadSourceMaps } from "./commands/source-maps.ts";
import { use } from "./commands/use.ts";
import { watch } from "./commands/watch.ts";

const commands: Command[] = [
  ...signInCommands,
  use,
  ...errorCommands,
  ...errorStatusCommands,
  ...issueCommands,
  ...reportCommands,
  ...releaseCommands,
  uploadSourceMaps,
  ...monitorCommands,
  watch,
];

/** All commands, in the order of the help. */
export const COMMANDS: Command[] = [...commands, makeCompletion(() => COMMANDS), makeHelp(() => COMMANDS)];
