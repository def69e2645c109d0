import { createInterface } from "node:readline/promises";
import { Failure, wrongUsage } from "./failure.ts";

const { stdin, stderr } = process;

/** Asks on the terminal. @param missing the error if there is no terminal */
export async function ask(question: string, missing: string): Promise<string> {
  if (!stdin.isTTY) throw wrongUsage(missing);
  const lines = createInterface({ input: stdin, output: stderr });
  try {
    return (await lines.question(question)).trim();
  } finally {
    lines.close();
  }
}

/** Asks on the terminal without showing what is typed. Without a terminal, reads the first line of stdin. */
export async function askSecret(question: string): Promise<string> {
  if (!stdin.isTTY) return firstLine(await readStdin());
  stderr.write(question);
  stdin.setRawMode(true);
  try {
    return await readSecret();
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write("\n");
  }
}

export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

const firstLine = (text: string) => (text.split("\n", 1)[0] ?? "").trim();

/** Reads to Enter in raw mode. The text may come in several parts, or be pasted at once. */
function readSecret(): Promise<string> {
  return new Promise((resolve, reject) => {
    let secret = "";
    const onData = (data: Buffer) => {
      for (const character of data.toString("utf8")) {
        if (character === "\r" || character === "\n" || character === "\u0004")
          return end(() => resolve(secret));
        if (character === "\u0003") return end(() => reject(new Failure(130, "Canceled.")));
        secret = character === "\u007f" || character === "\b" ? secret.slice(0, -1) : secret + character;
      }
    };
    const end = (settle: () => void) => {
      stdin.off("data", onData);
      settle();
    };
    stdin.on("data", onData);
    stdin.resume();
  });
}
