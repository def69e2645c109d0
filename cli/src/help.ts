import manifest from "../package.json" with { type: "json" };
import { GLOBAL_OPTIONS, type Command, type Options } from "./command.ts";
import { EXIT } from "./failure.ts";
import { paint, writeLine } from "./output.ts";

export function writeHelp(commands: Command[]): number {
  writeLine("sbx is the command line of Signalbox, a work tracker.\n");
  writeLine("Usage: sbx COMMAND [OPTIONS]\n");
  writeLine(paint("bold", "Commands"));
  writeAligned(commands.map((command) => [usageOf(command), command.summary]));
  writeLine(`\n${paint("bold", "Options of every command")}`);
  writeOptions(GLOBAL_OPTIONS);
  writeLine("\nsbx help COMMAND shows the options of a command.");
  writeLine("Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 not signed in, 4 not found,");
  writeLine("5 the server cannot be reached or is busy.");
  return EXIT.ok;
}

export function writeCommandHelp(command: Command): number {
  writeLine(`Usage: sbx ${usageOf(command)} [OPTIONS]\n`);
  writeLine(`${command.summary}.`);
  if (command.options) {
    writeLine(`\n${paint("bold", "Options")}`);
    writeOptions(command.options);
  }
  writeLine(`\n${paint("bold", "Options of every command")}`);
  writeOptions(GLOBAL_OPTIONS);
  return EXIT.ok;
}

export function writeVersion(): number {
  writeLine(manifest.version);
  return EXIT.ok;
}

const usageOf = ({ name, arguments: names = [] }: Command) => [name, ...names].join(" ");

function writeOptions(options: Options) {
  writeAligned(
    Object.entries(options).map(([name, { value, short, help, choices }]) => [
      `${short === undefined ? "    " : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`,
      choices === undefined ? help : `${help}: ${choices.join(", ")}`,
    ]),
  );
}

function writeAligned(rows: [string, string][]) {
  const width = Math.max(...rows.map(([left]) => left.length));
  for (const [left, right] of rows) writeLine(`  ${left.padEnd(width)}  ${right}`);
}
