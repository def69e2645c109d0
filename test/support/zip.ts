import { crc32, deflateRawSync } from "node:zlib";

type ZipEntry = {
  name: string;
  content?: Buffer | string;
  /** Stored without compression. */
  isStored?: boolean;
  /** The mode that a Unix program records: 0o120777 for a link. */
  mode?: number;
  /** What the headers claim, if it is not the truth. */
  checksum?: number;
  size?: number;
};

/** A zip archive of these files, as honest as they say. Offsets count from the beginning of `prefix`. */
export function zip(entries: ZipEntry[], prefix = Buffer.alloc(0)): Buffer {
  const pieces: Buffer[] = [prefix];
  const directory: Buffer[] = [];
  let offset = prefix.length;
  for (const { name, content = "", isStored = false, mode = 0, ...claims } of entries) {
    const plain = Buffer.from(content);
    const packed = isStored ? plain : deflateRawSync(plain);
    const named = Buffer.from(name);
    // From the version to the lengths of name and extra field, the same in both headers.
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(0x0800, 2);
    shared.writeUInt16LE(isStored ? 0 : 8, 4);
    shared.writeUInt32LE(claims.checksum ?? crc32(plain), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(claims.size ?? plain.length, 18);
    shared.writeUInt16LE(named.length, 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), shared, named, packed]);
    const central = Buffer.alloc(14);
    central.writeUInt32LE((mode << 16) >>> 0, 6);
    central.writeUInt32LE(offset, 10);
    directory.push(Buffer.from("PK\u0001\u0002"), Buffer.from([20, 3]), shared, central, named);
    pieces.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", 0, "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...pieces, listed, end]);
}
