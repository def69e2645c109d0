import { cp, readFile } from "node:fs/promises";
import path from "node:path";
import { isInstalled, runCommand } from "./run-command.ts";

export const INSTALL_MS = 150_000;

export type Language = {
  name: string;
  /** Whether this machine has what installing and running needs. */
  isAvailable(): Promise<boolean>;
  /** Installs the newest SDKs in the folder, which contains the programs, and returns their version. */
  install(folder: string): Promise<string>;
  /** The command that runs a program in the folder. */
  command(program: string, folder: string): [command: string, ...args: string[]];
};

/** Copies the programs of a language to a folder outside the repository, where no other packages are found. */
export const copyPrograms = (language: Pick<Language, "name">, folder: string): Promise<void> =>
  cp(path.join(import.meta.dirname, "programs", language.name), folder, { recursive: true });

/** Also installs the packages for the browser, because both come from npm. */
export const node: Language = {
  name: "node",
  isAvailable: () => isInstalled("npm", "--version"),
  install: async (folder) => {
    const packages = ["@sentry/node", "@sentry/browser", "@sentry/cli", "express", "fastify"].map(
      (name) => `${name}@latest`,
    );
    const options = ["--no-audit", "--no-fund", "--no-save", "--prefer-offline", "--loglevel=error"];
    await runCommand("npm", ["install", ...options, ...packages], { cwd: folder, timeoutMs: INSTALL_MS });
    return versionInPackage(folder, "@sentry/node");
  },
  command: (program) => [process.execPath, program],
};

export async function versionInPackage(folder: string, name: string): Promise<string> {
  const file = path.join(folder, "node_modules", name, "package.json");
  return (JSON.parse(await readFile(file, "utf8")) as { version: string }).version;
}

export const python: Language = {
  name: "python",
  isAvailable: () => isInstalled("python3", "-c", "import ensurepip, venv"),
  install: async (folder) => {
    const options = { cwd: folder, timeoutMs: INSTALL_MS };
    await runCommand("python3", ["-m", "venv", "venv"], options);
    const packages = ["sentry-sdk", "flask", "django", "celery"];
    await runCommand(
      "venv/bin/pip",
      ["install", "--quiet", "--no-compile", "--upgrade", ...packages],
      options,
    );
    const version = "import importlib.metadata as m; print(m.version('sentry-sdk'))";
    return (await runCommand("venv/bin/python", ["-c", version], options)).trim();
  },
  command: (program, folder) => [path.join(folder, "venv/bin/python"), program],
};

export const go: Language = {
  name: "go",
  isAvailable: () => isInstalled("go", "version"),
  install: async (folder) => {
    const options = { cwd: folder, timeoutMs: INSTALL_MS };
    await runCommand("go", ["mod", "init", "example.com/shop"], options);
    await runCommand("go", ["get", "github.com/getsentry/sentry-go@latest"], options);
    await runCommand("go", ["build", "-o", "shop", "."], options);
    const format = ["list", "-m", "-f", "{{.Version}}", "github.com/getsentry/sentry-go"];
    return (await runCommand("go", format, options)).trim();
  },
  command: (program, folder) => [path.join(folder, "shop"), program],
};

export const java: Language = {
  name: "java",
  isAvailable: async () => (await isInstalled("javac", "-version")) && isInstalled("mvn", "--version"),
  install: async (folder) => {
    const options = { cwd: folder, timeoutMs: INSTALL_MS };
    const copy = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";
    await runCommand("mvn", ["--quiet", "--batch-mode", copy, "-DoutputDirectory=libraries"], options);
    const classes = ["shop/Plain.java", "shop/Logged.java"];
    await runCommand("javac", ["-cp", "libraries/*:.", "-d", "classes", ...classes], options);
    const jars = await runCommand("ls", ["libraries"], options);
    return /^sentry-(\d.*)\.jar$/m.exec(jars)?.[1] ?? "unknown";
  },
  command: (program) => ["java", "-cp", "classes:libraries/*", program],
};
