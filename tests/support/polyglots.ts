/* Sounds that can be played, with words in them that are no sound. */

/** A tag as music players write it (ID3v2.4), with one comment. */
export function tagged(comment: string, sound: Buffer): Buffer {
  const body = Buffer.from(`\0eng\0${comment}`, "latin1");
  const sizeOf = (size: number) => Buffer.from([21, 14, 7, 0].map((bits) => (size >> bits) & 127));
  const frame = Buffer.concat([Buffer.from("COMM"), sizeOf(body.length), Buffer.alloc(2), body]);
  return Buffer.concat([Buffer.from("ID3\x04\0\0", "latin1"), sizeOf(frame.length), frame, sound]);
}

/** A sound with a piece in front of the others that no player reads (RIFF). */
export function withPiece(text: string, sound: Buffer): Buffer {
  const words = Buffer.from(text.padEnd(text.length + (text.length % 2)), "latin1");
  const head = Buffer.alloc(8);
  head.write("note", "latin1");
  head.writeUInt32LE(words.length, 4);
  const whole = Buffer.concat([sound.subarray(0, 12), head, words, sound.subarray(12)]);
  whole.writeUInt32LE(whole.length - 8, 4);
  return whole;
}
