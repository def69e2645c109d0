import assert from "node:assert/strict";
import { test } from "node:test";
import { Command } from "commander";
import { commanderErrors } from "../../src/integrations/commander.ts";
import { recordingServer } from "../support/recording-server.ts";
import { testReporter } from "../support/reporter.ts";
import { runProgram } from "../support/run-program.ts";

class ImportCommand extends Command {}

test("commander: an error has the name and class of the running command", async () => {
  await using server = await recordingServer();
  const { reporter } = testReporter(server);
  const fail = () => {
    throw new Error("x");
  };
  const program = new Command("tool");
  program.addCommand(
    new Command("db").addCommand(new ImportCommand("import").argument("<file>").action(fail)),
  );
  commanderErrors(program, { reporter });
  await program
    .parseAsync(["db", "import", "secret.csv"], { from: "user" })
    .catch((error) => reporter.captureError(error));
  await reporter.flush();
  assert.deepEqual(server.events()[0]?.context, {
    kind: "command",
    name: "db import",
    class: "ImportCommand",
  });
});

test("commander: a failing command still ends the program, and is reported with its name", async () => {
  await using server = await recordingServer();
  const result = await runProgram(
    `import { Command } from "commander"; import { init } from "@signalbox/reporter";
     import { commanderErrors } from "@signalbox/reporter/commander";
     init();
     const program = new Command("tool").action(async () => { throw new Error("x"); });
     commanderErrors(program);
     await program.parseAsync([], { from: "user" });`,
    server,
  );
  assert.equal(result.code, 1);
  assert.deepEqual(server.events()[0]?.context, { kind: "command", name: "tool" });
});
