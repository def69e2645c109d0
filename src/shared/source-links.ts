import { PLACEHOLDER } from "./source-url.ts";
import { mustBe, text } from "./text.ts";

const MAX_PATTERN = 500;

/** `https://github.com/acme/shop/blob/{release}/{path}#L{line}`: where a project's source code can be read. */
export const repositoryUrlPattern = text(MAX_PATTERN)
  .refine((value) => /^https?:\/\/[^\s/?#]/i.test(value), {
    error: "must begin with http:// or https:// and a host",
    abort: true,
  })
  .refine((value) => !/[{}@\\]/.test(hostOf(value)), {
    error: "must have a host without placeholder, user name or backslash",
    abort: true,
  })
  .refine((value) => value.includes("{path}"), { error: "must contain {path}", abort: true })
  .refine((value) => !/[{}]/.test(value.replace(PLACEHOLDER, "")), {
    error: "must contain no other braces than {path}, {line} and {release}",
    abort: true,
  })
  .refine(
    // oxlint-disable-next-line no-control-regex -- matches control characters on purpose
    (value) => !/[\s\u0000-\u001f\u007f]/.test(value) && URL.canParse(value.replace(PLACEHOLDER, "x")),
    mustBe("a valid address without spaces"),
  );

const hostOf = (url: string) => /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? "";
