import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

type Records = { txt?: Record<string, string[]>; mx?: Record<string, string[]> };

const types: Record<number, keyof Records> = { 15: "mx", 16: "txt" };

/** A DNS server on loopback that knows these records, and says NXDOMAIN to everything else. Names
 * that begin with 'silent' are not answered at all. */
export async function startDns(records: Records) {
  const socket = createSocket("udp4");
  socket.on("message", (asked, { port, address }) => {
    const { name, end } = readName(asked);
    if (name.startsWith("silent")) return;
    const kind = types[asked.readUInt16BE(end)];
    const values = (kind && records[kind]?.[name]) ?? [];
    const question = asked.subarray(12, end + 4);
    const header = Buffer.alloc(12);
    asked.copy(header, 0, 0, 2);
    header.writeUInt16BE(values.length > 0 ? 0x8180 : 0x8183, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(values.length, 6);
    const answers = values.map((value) =>
      answer(asked.readUInt16BE(end), kind === "mx" ? mxData(value) : txtData(value)),
    );
    socket.send(Buffer.concat([header, question, ...answers]), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const { port } = socket.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    close: () => new Promise<void>((resolve) => socket.close(resolve)),
  };
}

function readName(message: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let size = message[at] ?? 0; size > 0; size = message[at] ?? 0) {
    labels.push(message.toString("latin1", at + 1, at + 1 + size));
    at += 1 + size;
  }
  return { name: labels.join(".").toLowerCase(), end: at + 1 };
}

function answer(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  // The name is the question's.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

/** In strings of 255 bytes at most, as long keys are. */
function txtData(text: string): Buffer {
  const bytes = Buffer.from(text);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 255) {
    const part = bytes.subarray(at, at + 255);
    parts.push(Buffer.from([part.length]), part);
  }
  return Buffer.concat(parts);
}

function mxData(name: string): Buffer {
  const labels = name
    .split(".")
    .flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]);
  return Buffer.concat([Buffer.from([0, 10]), ...labels, Buffer.from([0])]);
}
