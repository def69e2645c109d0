import { parseArgs, type ParseArgsConfig } from "node:util";
import { GLOBAL_OPTIONS, type Command, type Options } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { makeContext, type Values } from "./context.ts";
import { EXIT, Failure, Refusal, wrongUsage } from "./failure.ts";
import { findCommand, unknownCommand } from "./find-command.ts";
import { writeCommandHelp, writeHelp, writeVersion } from "./help.ts";
import { writeNote } from "./output.ts";
import { oneLine } from "./terminal-text.ts";

/** Runs the command that the arguments name, and returns the exit code of the program. */
export async function run(args: string[]): Promise<number> {
  let command: Command | undefined;
  try {
    if (args[0] === "--version") return writeVersion();
    const first = readLeniently(args);
    command = findCommand(COMMANDS, first.words);
    if (command === undefined && (first.words.length === 0 || first.values["help"] === true))
      return writeHelp(COMMANDS);
    if (command === undefined) throw unknownCommand(COMMANDS, first.words);
    if (first.values["help"] === true) return writeCommandHelp(command);
    const { words, values } = readStrictly(command, args);
    return (await command.run(makeContext(words, values))) ?? EXIT.ok;
  } catch (error) {
    if (error instanceof Failure) {
      writeError(messageOf(error, command));
      return error.exitCode;
    }
    // Such as a file that may not be written: its message names the file.
    if (!(error instanceof Error) || !("syscall" in error)) throw error;
    writeError(error.message);
    return EXIT.refused;
  }
}

/** A token in the wrong place of the arguments must not end up in the log of a CI job. */
function writeError(message: string) {
  writeNote(`sbx: ${oneLine(message).replace(/\bsbx_[a-z]+_[A-Za-z0-9]+/g, "sbx_…")}`);
}

/** Finds the command among options of any command, which may come before it. */
function readLeniently(args: string[]): { words: string[]; values: Values } {
  const options = Object.assign({}, ...COMMANDS.map((command) => command.options), GLOBAL_OPTIONS) as Options;
  const { positionals, values } = parseArgs({
    args,
    options: specsOf(options),
    strict: false,
    allowPositionals: true,
  });
  return { words: positionals, values };
}

function readStrictly(command: Command, args: string[]): { words: string[]; values: Values } {
  const options = { ...command.options, ...GLOBAL_OPTIONS };
  try {
    const { positionals, values } = parseArgs({ args, options: specsOf(options), allowPositionals: true });
    const words = positionals.slice(command.name.split(" ").length);
    checkCount(command, words);
    return { words, values };
  } catch (error) {
    throw describeParseError(error as NodeJS.ErrnoException, command);
  }
}

function describeParseError(error: NodeJS.ErrnoException, { name }: Command): Error {
  if (!error.code?.startsWith("ERR_PARSE_ARGS")) return error;
  const [, option = ""] = /'(?:-\w, )?(--?[^\s'=]+)/.exec(error.message) ?? [];
  const see = `See sbx help ${name}.`;
  if (error.code === "ERR_PARSE_ARGS_UNKNOWN_OPTION")
    return wrongUsage(`There is no option ${option}. ${see}`);
  if (error.message.includes("does not take")) return wrongUsage(`${option} takes no value. ${see}`);
  return wrongUsage(`${option} needs a value. ${see}`);
}

function specsOf(options: Options): NonNullable<ParseArgsConfig["options"]> {
  return Object.fromEntries(
    Object.entries(options).map(([name, { type, short, multiple = false }]) => [
      name,
      short === undefined ? { type, multiple } : { type, multiple, short },
    ]),
  );
}

function checkCount({ name, arguments: names = [] }: Command, words: string[]) {
  const required = names.filter((each) => !each.startsWith("["));
  const missing = required[words.length];
  if (missing !== undefined)
    throw wrongUsage(`${missing.replace("…", "")} is missing. See sbx help ${name}.`);
  if (words.length > names.length && !names.at(-1)?.includes("…"))
    throw wrongUsage(`There is an argument too many: ${words[names.length]}. See sbx help ${name}.`);
}

/** Names the options instead of the API's fields. */
function messageOf(error: Failure, command: Command | undefined): string {
  if (!(error instanceof Refusal)) return error.message;
  const sentences = Object.entries(error.fields).flatMap(([field, messages]) =>
    messages.map((message) => `${optionOf(field, command)} ${message}.`),
  );
  return sentences.length > 0 ? sentences.join(" ") : error.message;
}

function optionOf(field: string, command: Command | undefined): string {
  const named = command?.fields?.[field] ?? command?.fields?.[field.split(".", 1)[0] ?? ""];
  if (named !== undefined) return named;
  const option = field.replace(/_id$/, "").replaceAll("_", "-");
  return command?.options && option in command.options ? `--${option}` : field;
}
