import type { ServerResponse } from "node:http";
import type { Transform } from "node:stream";
import * as zlib from "node:zlib";
import { overloaded, unsupportedType } from "../answers/errors.ts";
import { hasRoomInFlight, reserveInFlight, senderOf } from "./bytes-in-flight.ts";

const [KIB, MIB] = [1_024, 1_048_576];

/** `memory`: the bytes that the decoder may allocate with the first bytes of a body, above all the window of its output. */
type Kind = { create: () => Transform; memory: number };

/**
 * A few kilobytes of zstd may demand a window of 128 MiB. RFC 9659 limits it to 8 MiB for Content-Encoding; a body that
 * needs a larger one is rejected.
 */
const ZSTD_WINDOW_LOG = 23;
const ZSTD = { params: { [zlib.constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } };

const KINDS: Record<string, Kind> = {
  gzip: { create: zlib.createGunzip, memory: 64 * KIB },
  deflate: { create: zlib.createInflate, memory: 64 * KIB },
  br: { create: zlib.createBrotliDecompress, memory: 16 * MIB },
  zstd: { create: () => zlib.createZstdDecompress(ZSTD), memory: 2 ** ZSTD_WINDOW_LOG },
};

/** Decoders from this size on are limited further, because a few bytes are enough to keep one. */
const LARGE = MIB;

/** Bytes that large decoders leave free for bodies, which count as in flight, too. */
const MIN_FREE = 24 * MIB;

/** Bytes of the large decoders of one client address, whatever its credentials: eight for brotli. */
const MAX_PER_ADDRESS = 128 * MIB;
const ofAddresses = new Map<string, number>();

type Client = { response: ServerResponse; address: string };

/** A decoder whose memory counts as in flight until `close`. */
export type Decoder = { stream: Transform; close(): void };

/**
 * Creates the decoder for a Content-Encoding. 415 if it is unknown, 503 if the decoders of the credential, of the client's
 * address or of all requests use too much memory.
 */
export function openDecoder(encoding: string, { response, address }: Client): Decoder {
  const kind = Object.hasOwn(KINDS, encoding) ? KINDS[encoding] : undefined;
  if (!kind)
    throw unsupportedType(`Send a body that is not compressed, or one of ${Object.keys(KINDS).join(", ")}.`);
  const { memory } = kind;
  const isLarge = memory >= LARGE;
  if (isLarge && !hasRoomForLarge(memory, { response, address })) throw overloaded();
  const release = reserveInFlight(memory, response);
  if (isLarge) add(address, memory);
  const stream = kind.create();
  return {
    stream,
    close: () => {
      stream.destroy();
      release();
      if (isLarge) add(address, -memory);
    },
  };
}

const hasRoomForLarge = (memory: number, { response, address }: Client): boolean =>
  (ofAddresses.get(address) ?? 0) + memory <= MAX_PER_ADDRESS &&
  hasRoomInFlight(memory + MIN_FREE, senderOf(response));

function add(address: string, memory: number): void {
  const sum = (ofAddresses.get(address) ?? 0) + memory;
  if (sum > 0) ofAddresses.set(address, sum);
  else ofAddresses.delete(address);
}
