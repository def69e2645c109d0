import type { Command } from "./command.ts";
import { wrongUsage, type Failure } from "./failure.ts";

/** The command that the words begin with: "report dismiss" before "report". */
export function findCommand(commands: Command[], words: string[]): Command | undefined {
  const [first = "", second = ""] = words;
  return (
    commands.find(({ name }) => name === `${first} ${second}`) ?? commands.find(({ name }) => name === first)
  );
}

/** The words of commands that begin with this one: "create" and others after "issue". */
export const secondWords = (commands: Command[], first: string): string[] =>
  commands.flatMap(({ name }) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : []));

export function unknownCommand(commands: Command[], [first = ""]: string[]): Failure {
  const words = secondWords(commands, first);
  return words.length > 0
    ? wrongUsage(`sbx ${first} needs a subcommand: ${words.join(", ")}. See sbx help.`)
    : wrongUsage(`There is no command ${first}. See sbx help.`);
}
