import type { AnyReporter } from "../core/current.ts";
import { reporterOf } from "../core/integration.ts";

/** The parts of a commander command in use here. */
export interface CommanderCommand {
  name(): string;
  parent: CommanderCommand | null;
}

interface CommanderProgram {
  hook(event: "preAction", listener: (program: CommanderCommand, action: CommanderCommand) => void): unknown;
}

/**
 * Gives every error that follows the command being run: `deploy web`, without the program's own name unless it has
 * no other.
 */
export function commanderErrors(
  program: CommanderProgram,
  options: { reporter?: AnyReporter | undefined } = {},
): void {
  program.hook("preAction", (_, action) => {
    const names: string[] = [];
    for (let one: CommanderCommand | null = action; one; one = one.parent) names.unshift(one.name());
    const made = action.constructor.name;
    reporterOf(options)?.setContext({
      kind: "command",
      name: (names.length > 1 ? names.slice(1) : names).join(" "),
      class: made === "Command" ? undefined : made,
    });
  });
}
