import { GLOBAL_OPTIONS, type Command } from "../command.ts";
import { wrongUsage } from "../failure.ts";
import { secondWords } from "../find-command.ts";
import { writeLine } from "../output.ts";

const SHELLS = ["bash", "zsh", "fish"];

export function makeCompletion(commands: () => Command[]): Command {
  return {
    name: "completion",
    summary: "Print the completions for a shell: bash, zsh or fish",
    arguments: ["SHELL"],
    run({ words: [shell = ""] }) {
      if (!SHELLS.includes(shell)) throw wrongUsage(`SHELL must be one of ${SHELLS.join(", ")}.`);
      writeLine(
        shell === "bash" ? forBash(commands()) : shell === "zsh" ? forZsh(commands()) : forFish(commands()),
      );
    },
  };
}

/** One case for the words before the current one: two-word commands, first words, and the beginning. */
function forBash(commands: Command[]): string {
  const cases = [
    ...commands
      .filter(({ name }) => name.includes(" "))
      .map(({ name, options }) => [`"${name} "*`, optionNames(options)] as const),
    ...firstWords(commands).map((first) => {
      const command = commands.find(({ name }) => name === first);
      return [`"${first} "*`, [...secondWords(commands, first), ...optionNames(command?.options)]] as const;
    }),
    ["*", [...firstWords(commands), "--help", "--version"]] as const,
  ];
  return `# Bash completions of sbx. Load them with: source <(sbx completion bash)
_sbx() {
  local words=""
  case "\${COMP_WORDS[*]:1:COMP_CWORD-1} " in
${cases.map(([pattern, words]) => `    ${pattern}) words="${words.join(" ")}" ;;`).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _sbx sbx`;
}

/** Zsh runs bash completions. */
function forZsh(commands: Command[]): string {
  return `#compdef sbx
# Zsh completions of sbx. Load them with: source <(sbx completion zsh)
autoload -Uz compinit bashcompinit
(( \${+functions[compdef]} )) || compinit
bashcompinit
${forBash(commands).split("\n").slice(1).join("\n")}`;
}

function forFish(commands: Command[]): string {
  const lines = [
    "# Fish completions of sbx. Load them with: sbx completion fish | source",
    "complete -c sbx -f -n __fish_use_subcommand -l version -d 'Show the version'",
  ];
  for (const first of firstWords(commands)) {
    const summary = commands.find(({ name }) => name === first)?.summary;
    lines.push(`complete -c sbx -f -n __fish_use_subcommand -a ${first}${describe(summary)}`);
  }
  for (const { name, summary, options } of commands) {
    const [first = "", second] = name.split(" ");
    const condition = second === undefined ? seen(first) : `${seen(first)}; and ${seen(second)}`;
    if (second !== undefined)
      lines.push(`complete -c sbx -f -n '${seen(first)}' -a ${second}${describe(summary)}`);
    for (const [option, { type, help, choices }] of Object.entries(options ?? {})) {
      const value = type === "boolean" ? "" : choices === undefined ? " -r" : ` -x -a '${choices.join(" ")}'`;
      lines.push(`complete -c sbx -n '${condition}' -l ${option}${value}${describe(help)}`);
    }
  }
  for (const [option, { type, help }] of Object.entries(GLOBAL_OPTIONS))
    lines.push(`complete -c sbx -l ${option}${type === "string" ? " -r" : ""}${describe(help)}`);
  return lines.join("\n");
}

const firstWords = (commands: Command[]) => [
  ...new Set(commands.map(({ name }) => name.split(" ")[0] ?? "")),
];

const optionNames = (options: Command["options"]) =>
  Object.keys({ ...options, ...GLOBAL_OPTIONS }).map((name) => `--${name}`);

const seen = (word: string) => `__fish_seen_subcommand_from ${word}`;

const describe = (text: string | undefined) =>
  text === undefined ? "" : ` -d '${text.replaceAll("'", "\\'")}'`;
