import type { z } from "zod";

/** The location of an S3-compatible store. */
export type StorageUrl = {
  bucket: string;
  /** Prefix of every key: empty, or ends with a slash. */
  prefix: string;
  /** undefined: Amazon S3. */
  endpoint: string | undefined;
  region: string | undefined;
};

/** The location with credentials. Without them, the S3 client searches its default places. */
export type S3Settings = StorageUrl & {
  region: string;
  credentials?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
};

const EXAMPLE = "s3://bucket?endpoint=https://s3.example.com&region=eu-central-1";
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** `s3://bucket/prefix?endpoint=…&region=…`; the path and both parameters may be left out. */
export function storageUrl(value: string, context: z.RefinementCtx): StorageUrl {
  const fail = (message: string) => {
    context.addIssue({ code: "custom", message });
    return { bucket: "", prefix: "", endpoint: undefined, region: undefined };
  };
  if (!URL.canParse(value) || !value.startsWith("s3://"))
    return fail(`must be an address such as ${EXAMPLE}`);
  const url = new URL(value);
  if (!BUCKET.test(url.host)) return fail(`must name a bucket, such as ${EXAMPLE}`);
  if (url.username !== "" || url.password !== "")
    return fail("must not hold credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
  for (const name of url.searchParams.keys())
    if (name !== "endpoint" && name !== "region")
      return fail(`has no parameter ${name}: only endpoint and region`);
  const endpoint = url.searchParams.get("endpoint") ?? undefined;
  if (endpoint !== undefined && !/^https?:$/.test(URL.canParse(endpoint) ? new URL(endpoint).protocol : ""))
    return fail("must have an endpoint such as https://s3.example.com");
  const folder = url.pathname.replace(/^\/+|\/+$/g, "");
  if (!/^[\w./-]*$/.test(folder))
    return fail("must have a path of letters, digits, dots, dashes and slashes only");
  return {
    bucket: url.host,
    prefix: folder === "" ? "" : `${folder}/`,
    endpoint,
    region: url.searchParams.get("region") || undefined,
  };
}
