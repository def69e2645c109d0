import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import manifest from "../package.json" with { type: "json" };
import { useCommandLine } from "./support/command-line.ts";

const { sbx, folder } = await useCommandLine({ SIGNALBOX_TOKEN: "sbx_pat_secret", SIGNALBOX_PROJECT: "WEB" });
const run = promisify(execFile);

test("help lists all commands, and that of a command its options", async () => {
  for (const args of [[], ["help"], ["--help"]]) {
    const { code, stdout } = await sbx(args);
    assert.equal(code, 0);
    assert.match(stdout, /issue create TITLE +Create an issue/);
  }
  for (const args of [
    ["help", "issue", "create"],
    ["issue", "create", "-h"],
  ])
    assert.match((await sbx(args)).stdout, /^Usage: sbx issue create TITLE \[OPTIONS\]\n[^]*--priority/);
});

test("--version prints the version of the package", async () => {
  assert.equal((await sbx(["--version"])).stdout, `${manifest.version}\n`);
});

for (const [what, args, message] of [
  ["an unknown command", ["frobnicate"], "There is no command frobnicate. See sbx help."],
  [
    "an incomplete command",
    ["issue"],
    "sbx issue needs a subcommand: list, view, create, comment, move. See sbx help.",
  ],
  ["an unknown option", ["errors", "--colour"], "There is no option --colour. See sbx help errors."],
  ["an option without its value", ["errors", "--release"], "--release needs a value. See sbx help errors."],
  ["a missing argument", ["error"], "ID is missing. See sbx help error."],
  ["an argument too many", ["error", "1", "2"], "There is an argument too many: 2. See sbx help error."],
  [
    "a wrong project",
    ["errors", "-p", "w/../x"],
    "The project must be a key such as WEB. Check --project, SIGNALBOX_PROJECT and .sbx.json.",
  ],
  [
    "a wrong address",
    ["errors", "--url", "ftp://x"],
    "--url must be an address such as https://signalbox.example.com.",
  ],
  [
    "an address with a password",
    ["errors", "--url", "http://a:b@x"],
    "--url must be an address without a user, a query and a fragment.",
  ],
] as const)
  test(`${what} is exit code 2 and one sentence on stderr`, async () => {
    const env = { SIGNALBOX_URL: "http://127.0.0.1:2" };
    assert.deepEqual(await sbx([...args], { env }), { code: 2, stdout: "", stderr: `sbx: ${message}\n` });
  });

test("options may come before the command", async () => {
  assert.equal((await sbx(["--project", "WEB", "help", "errors"])).code, 0);
});

test("without a server, commands end with exit code 3", async () => {
  const { code, stderr } = await sbx(["errors"]);
  assert.equal(code, 3);
  assert.match(stderr, /sbx login/);
});

test("a server that cannot be reached is exit code 5, and the token is not in the message", async () => {
  const { code, stderr } = await sbx(["errors", "--url", "http://127.0.0.1:2"]);
  assert.deepEqual(
    [code, stderr],
    [5, "sbx: http://127.0.0.1:2 cannot be reached: the connection was refused.\n"],
  );
});

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Serves one handler, for responses that a real server gives only under load. */
async function withServer(handler: Handler, use: (url: string) => Promise<void>) {
  const server = createServer(handler).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const answer = (response: ServerResponse, status: number, body: unknown, headers = {}) =>
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

const LIST = { data: [], meta: { next_cursor: null } };

test("requests that get 429 or 503 are repeated when Retry-After says, with the same idempotency key", async () => {
  const keys: unknown[] = [];
  const handler: Handler = (request, response) => {
    keys.push(request.headers["idempotency-key"]);
    const busy = { message: "Too many requests." };
    if (keys.length < 3) answer(response, keys.length === 1 ? 429 : 503, busy, { "retry-after": "0" });
    else answer(response, 201, { key: "WEB-1" });
  };
  await withServer(handler, async (url) => {
    const { code, stdout } = await sbx(["issue", "create", "X", "--url", url]);
    assert.deepEqual([code, stdout], [0, `WEB-1 ${url}/projects/WEB/issues/WEB-1\n`]);
  });
  assert.equal(keys.length, 3);
  assert.deepEqual([typeof keys[0], new Set(keys).size], ["string", 1]);
});

test("a limit that lasts too long is exit code 5 at once", async () => {
  let count = 0;
  const handler: Handler = (_request, response) => {
    count += 1;
    answer(response, 429, { message: "Too many requests. Try again in 3600 s." }, { "retry-after": "3600" });
  };
  await withServer(handler, async (url) => {
    const { code, stderr } = await sbx(["errors", "--url", url]);
    assert.deepEqual([code, stderr], [5, "sbx: Too many requests. Try again in 3600 s.\n"]);
  });
  assert.equal(count, 1);
});

test("a connection that is lost once is no failure", async () => {
  let count = 0;
  const handler: Handler = (request, response) => {
    count += 1;
    if (count === 1) request.socket.destroy();
    else answer(response, 200, LIST);
  };
  await withServer(handler, async (url) => assert.equal((await sbx(["errors", "--url", url])).code, 0));
});

test("the token does not follow a redirect, and another server is not mistaken for Signalbox", async () => {
  let reached = 0;
  await withServer(
    (_request, response) => {
      reached += 1;
      response.end("<html>");
    },
    async (other) => {
      await withServer(
        (_request, response) => void response.writeHead(301, { location: other }).end(),
        async (url) => {
          const { code, stderr } = await sbx(["errors", "--url", url]);
          assert.deepEqual([code, stderr], [5, `sbx: ${url} redirects to ${other}. Use that address.\n`]);
        },
      );
      assert.equal(reached, 0);
      const { code, stderr } = await sbx(["errors", "--url", other]);
      assert.deepEqual([code, stderr], [5, `sbx: ${other} does not answer like a Signalbox server.\n`]);
    },
  );
});

test("control sequences in an error message do not reach the terminal", async () => {
  const handler: Handler = (_request, response) => answer(response, 403, { message: "\u001b[2JNo\u009b1m" });
  await withServer(handler, async (url) => {
    assert.deepEqual(await sbx(["errors", "--url", url]), { code: 1, stdout: "", stderr: "sbx: No\n" });
  });
});

test("bash completes commands, their second words and their options", async () => {
  const { stdout } = await sbx(["completion", "bash"]);
  const complete = async (...words: string[]) => {
    const script = `${stdout}\nCOMP_WORDS=(sbx ${words.map((word) => `'${word}'`).join(" ")})\nCOMP_CWORD=${words.length}\n_sbx\necho "\${COMPREPLY[*]}"`;
    return (await run("bash", ["-c", script])).stdout.trim().split(" ");
  };
  assert.deepEqual(await complete("mon"), ["monitors"]);
  const options = ["--project", "--json", "--url", "--token", "--help"];
  const subcommands = ["list", "view", "create", "comment", "move"];
  assert.deepEqual(await complete("issue", ""), [...subcommands, ...options]);
  assert.deepEqual(await complete("issue", "create", "--des"), ["--description", "--description-file"]);
  assert.deepEqual(await complete("errors", "--st"), ["--status"]);
});

test("there are completions for zsh and fish, and no others", async () => {
  const zsh = (await sbx(["completion", "zsh"])).stdout;
  assert.match(zsh, /^#compdef sbx\n/);
  const fish = (await sbx(["completion", "fish"])).stdout;
  assert.match(
    fish,
    /^complete -c sbx -f -n '__fish_seen_subcommand_from issue' -a create -d 'Create an issue'$/m,
  );
  assert.equal((await sbx(["completion", "tcsh"])).code, 2);
  await checkSyntax("zsh", zsh);
  await checkSyntax("fish", fish);
});

/** Checks a script with its shell, if the machine has that. */
async function checkSyntax(shell: string, script: string) {
  const file = path.join(folder, `completion.${shell}`);
  await writeFile(file, script);
  await run(shell, ["-n", file]).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}
