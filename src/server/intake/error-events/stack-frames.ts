// Each form is tried at the start of a line only, and none may scan a line more than a fixed number of times: of two
// unbounded repetitions in a row, the first may not match what comes between them. No form may cross a line end, or
// a trace of many lines would be scanned once per line; what `^` takes for a line end is more than `\n`.
const EOL = String.raw`\n\r\u2028\u2029`;
const FRAME_FORMS = [
  // PHP: `#0 /app/a.php(12): Foo->bar()`, `#1 [internal function]: f()`, `#2 {main}`
  String.raw`[ \t]*#\d+ (?:\{main\}|\[internal function\]: |.+\(\d+\): )`,

  // JavaScript: `at f (/app/a.js:1:2)`, `at /app/a.js:1:2`. Rust: `at ./src/main.rs:3:5`. Java and Kotlin with
  // blanks in the name: `at Test.adds two(Test.kt:5)`. A time of day, `at 10:20:30`, is none.
  String.raw`[ \t]*at .*[^\s\d]\d?:\d+(?:(?::\d+)?\)|:\d+$)`,
  // JavaScript without a position: `at Array.map (<anonymous>)`, `at async Promise.all (index 0)`
  String.raw`[ \t]*at .*(?:<anonymous>|\(native\)|\(index \d+\)|:0x[\da-f]+\))`,
  // Java, Kotlin, .NET: `at a.b.C.d(C.java:1)`, `at A.B(String s) in /app/a.cs:line 4`; Mono: `at A.B () [0x0001]`
  String.raw`[ \t]*at [^\s(.]*\.[^\s(]*(?:\([^)${EOL}]*\)| \([^)${EOL}]*\) \[0x)`,
  // JavaScript in Firefox and Safari: `f@https://example.com/a.js:1:2`
  String.raw`[^@${EOL}]*@(?:[^\s/.]*[/.]\S*:\d+:\d+$|\[native code\])`,

  // Python, also inside the margin of an exception group: `File "/app/a.py", line 3, in f`
  String.raw`[ \t|]*File "[^"${EOL}]+", line \d+`,
  // Ruby: `/app/a.rb:3:in 'f'`, before 3.4 with a backquote; `from /app/a.rb:3`
  String.raw`.*:\d+:in ['${"`"}"<]`,
  String.raw`[ \t]*(?:from )?\S+\.rb:\d+$`,
  // Go: `/app/main.go:12 +0x1d`; without the offset when an error value carried the trace
  String.raw`.*\.(?:go|s):\d+ \+0x[\da-f]+$`,
  String.raw`[ \t]*\S+\.go:\d+$`,
  // Rust: `4: app::run`, `5: 0x55d0 - <app::T as Run>::run`
  String.raw`[ \t]*\d+: +(?:0x[\da-f]+ - \S|[^\s:]*(?: as [^\s:]+)?::)`,
];

// The shortest frame, `a.rb:3`, has six characters: a trace of many short lines is passed over quickly.
const FRAME = new RegExp(`^(?=.{6})(?:${FRAME_FORMS.join("|")})`, "m");

/**
 * Whether at least one line of a trace is a stack frame of PHP, JavaScript, Python, Java, Kotlin, Ruby, Go, .NET or
 * Rust, which is what makes a trace parseable (service specification, 4.7, rule 2). Lines end in `\n`. Paths may be
 * normalised or as sent.
 */
export function hasStackFrame(trace: string): boolean {
  return FRAME.test(trace);
}
