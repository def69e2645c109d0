import { spawn } from "node:child_process";

type Options = { cwd: string; env?: Record<string, string>; timeoutMs: number };

/** Runs a command and returns what it wrote to stdout. Fails with its output if it fails or takes too long. */
export async function runCommand(command: string, args: string[], options: Options): Promise<string> {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: options.timeoutMs,
    killSignal: "SIGKILL",
  });
  let stdout = "";
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
    output += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
  const code = await new Promise<number | string | null>((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (exitCode, signal) => resolve(exitCode ?? signal));
  });
  if (code !== 0)
    throw new Error(`${[command, ...args].join(" ")} ended with ${code}:\n${output.slice(-3_000)}`);
  return stdout;
}

/** Whether the command can be run on this machine. */
export async function isInstalled(command: string, ...args: string[]): Promise<boolean> {
  return runCommand(command, args, { cwd: ".", timeoutMs: 30_000 }).then(
    () => true,
    () => false,
  );
}
