import type { Command } from "../command.ts";
import { findCommand, unknownCommand } from "../find-command.ts";
import { writeCommandHelp, writeHelp } from "../help.ts";

export function makeHelp(commands: () => Command[]): Command {
  return {
    name: "help",
    summary: "Show all commands, or the options of one",
    arguments: ["[COMMAND…]"],
    run({ words }) {
      if (words.length === 0) return writeHelp(commands());
      const command = findCommand(commands(), words);
      if (command === undefined) throw unknownCommand(commands(), words);
      return writeCommandHelp(command);
    },
  };
}
