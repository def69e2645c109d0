/* commander. Run `node reporter/examples/commander.mjs import people.csv` with the variables in crash.mjs. */
import { init } from "@signalbox/reporter";
import { commanderErrors } from "@signalbox/reporter/commander";
import { Command } from "commander";

init();

const program = new Command("tool");
program
  .command("import")
  .argument("<file>")
  .action(async (file) => {
    throw new RangeError(`${file} has no header`);
  });
commanderErrors(program);

await program.parseAsync();
