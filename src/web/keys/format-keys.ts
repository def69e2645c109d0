/** The keys of the editor's toolbar, apart from the catalog: they work only in the text field that has the focus. */
export const FORMAT_KEYS = {
  bold: { keys: "mod+b", label: "Bold" },
  italic: { keys: "mod+i", label: "Italic" },
  /** Only with selected text. Without, the key opens the command palette. */
  link: { keys: "mod+k", label: "Link" },
  code: { keys: "mod+e", label: "Code" },
  heading: { keys: "mod+shift+6", label: "Heading" },
  number: { keys: "mod+shift+7", label: "Numbered list" },
  bullet: { keys: "mod+shift+8", label: "List" },
  task: { keys: "mod+shift+9", label: "Task list" },
  quote: { keys: "mod+shift+.", label: "Quote" },
} as const satisfies Record<string, { keys: string; label: string }>;

export type FormatId = keyof typeof FORMAT_KEYS;
