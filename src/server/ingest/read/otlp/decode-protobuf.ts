import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { badRequest, tooLarge } from "../../../answers/errors.ts";
import type { Field, Message } from "./messages.ts";

/** As many as in JSON: objects take far more memory than their bytes. */
const MAX_VALUES = 1_000_000;

/** The usual limit of implementations of Protobuf. */
const MAX_DEPTH = 100;

type Decoded = Record<string, unknown>;
type Budget = { values: number };

/** Decodes the known fields of the message. 400 if it is malformed, 413 if it has too many values. */
export function decodeProtobuf(bytes: Uint8Array, message: Message): Decoded {
  try {
    return decode(bytes, message, { values: MAX_VALUES }, MAX_DEPTH);
  } catch (error) {
    if (error instanceof Refusal) throw error.reason;
    throw badRequest("The body is not valid Protobuf.");
  }
}

/** Tells our own refusals from the errors of the reader. */
class Refusal extends Error {
  readonly reason: Error;

  constructor(reason: Error) {
    super(reason.message);
    this.reason = reason;
  }
}

function decode(bytes: Uint8Array, message: Message, budget: Budget, depth: number): Decoded {
  if (depth === 0) throw new Refusal(badRequest("The body is nested too deeply."));
  const reader = new BinaryReader(bytes);
  const decoded: Decoded = {};
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    const field = message[number];
    if (!field || wireType !== wireTypeOf(field)) {
      reader.skip(wireType, number);
      continue;
    }
    if (--budget.values < 0)
      throw new Refusal(tooLarge(`The body has more than ${MAX_VALUES.toLocaleString("en")} values.`));
    const value = readValue(reader, field, budget, depth - 1);
    if (field.isRepeated) ((decoded[field.name] ??= []) as unknown[]).push(value);
    else decoded[field.name] = value;
  }
  return decoded;
}

function wireTypeOf({ type }: Field): WireType {
  switch (type) {
    case "fixed64":
    case "double":
      return WireType.Bit64;
    case "int64":
    case "int32":
    case "bool":
      return WireType.Varint;
    default:
      return WireType.LengthDelimited;
  }
}

function readValue(reader: BinaryReader, { type, onlyWith }: Field, budget: Budget, depth: number): unknown {
  switch (type) {
    case "text":
      return reader.string();
    case "hex":
      return Buffer.from(reader.bytes()).toString("hex");
    case "fixed64":
      return String(reader.fixed64());
    case "int64":
      return String(reader.int64());
    case "int32":
      return reader.int32();
    case "double":
      return reader.double();
    case "bool":
      return reader.bool();
    default: {
      const bytes = reader.bytes();
      const isRead = !onlyWith || viewOf(bytes).includes(onlyWith);
      return isRead ? decode(bytes, type(), budget, depth) : {};
    }
  }
}

const viewOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
