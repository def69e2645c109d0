/** The languages of code blocks that are colored, by the name that a fence has. */
export const LANGUAGES = [
  { id: "", label: "Plain text", words: "none" },
  { id: "bash", label: "Shell", words: "bash sh console" },
  { id: "c", label: "C", words: "" },
  { id: "cpp", label: "C++", words: "cpp" },
  { id: "csharp", label: "C#", words: "csharp cs dotnet" },
  { id: "css", label: "CSS", words: "" },
  { id: "diff", label: "Diff", words: "patch" },
  { id: "go", label: "Go", words: "golang" },
  { id: "html", label: "HTML", words: "" },
  { id: "java", label: "Java", words: "" },
  { id: "js", label: "JavaScript", words: "js jsx node" },
  { id: "json", label: "JSON", words: "" },
  { id: "kotlin", label: "Kotlin", words: "kt" },
  { id: "php", label: "PHP", words: "" },
  { id: "python", label: "Python", words: "py" },
  { id: "ruby", label: "Ruby", words: "rb" },
  { id: "rust", label: "Rust", words: "rs" },
  { id: "sql", label: "SQL", words: "" },
  { id: "swift", label: "Swift", words: "" },
  { id: "ts", label: "TypeScript", words: "ts tsx" },
  { id: "xml", label: "XML", words: "" },
  { id: "yaml", label: "YAML", words: "yml" },
] as const;

/** Those with a name that starts with the query. */
export const languagesMatching = (query: string) =>
  LANGUAGES.filter(({ label, words }) =>
    [label, ...words.split(" ")].some((word) => word.toLowerCase().startsWith(query.toLowerCase())),
  );
