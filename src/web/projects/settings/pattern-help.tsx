/** What people need to know to write a pattern. */
export function PatternHelp() {
  return (
    <p className="text-text-3 text-sm">
      Patterns are regular expressions in{" "}
      <a
        href="https://github.com/google/re2/wiki/Syntax"
        target="_blank"
        rel="noreferrer"
        className="text-accent-text underline"
      >
        RE2 syntax
      </a>
      , without lookaround and backreferences. Start with <code>(?i)</code> to ignore case, and use{" "}
      <code>^</code> and <code>$</code> to match a whole text.
    </p>
  );
}
