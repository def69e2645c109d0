import type { AnyReporter } from "../core/current.ts";
import { reporterOf } from "../core/integration.ts";

/** The used part of a commander command. */
export interface CommanderCommand {
  name(): string;
  parent: CommanderCommand | null;
}

interface CommanderProgram {
  hook(event: "preAction", listener: (program: CommanderCommand, action: CommanderCommand) => void): unknown;
}

/**
 * Sets the running command as the context of all further errors: `deploy web`, without the program's name unless the
 * program has no subcommands.
 */
export function commanderErrors(
  program: CommanderProgram,
  options: { reporter?: AnyReporter | undefined } = {},
): void {
  program.hook("preAction", (_, action) => {
    const names: string[] = [];
    for (let command: CommanderCommand | null = action; command; command = command.parent)
      names.unshift(command.name());
    const className = action.constructor.name;
    reporterOf(options)?.setContext({
      kind: "command",
      name: (names.length > 1 ? names.slice(1) : names).join(" "),
      class: className === "Command" ? undefined : className,
    });
  });
}
