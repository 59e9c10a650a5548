import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

type Options = { challenge: string; user?: { id: string } };
/** `verified`: it has asked its owner who she is. `userHandle`: whom it names; null: no one. */
type Asking = { verified?: boolean; userHandle?: string | null };

const flag = { present: 1, verified: 4, withKey: 0x40 } as const;
const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();
const text = (value: string) =>
  Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);

/** A device that makes one passkey (ES256, no attestation) and signs in with it, as browsers pass it on. */
export function passkeyDevice(appUrl: string) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(16);
  let counter = 0;
  /** The user handle that the site gave at registration. */
  let handle: string | undefined;

  const coordinate = (label: number, value: string) =>
    Buffer.concat([Buffer.from([label, 0x58, 32]), Buffer.from(value, "base64url")]);
  // COSE: EC2, ES256, P-256, x, y.
  const key = Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]),
    coordinate(0x21, x),
    coordinate(0x22, y),
  ]);

  function authenticatorData(verified: boolean, rest: Buffer | null) {
    counter += 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const flags = flag.present | (verified ? flag.verified : 0) | (rest ? flag.withKey : 0);
    const head = [sha256(new URL(appUrl).hostname), Buffer.from([flags]), count];
    return Buffer.concat(rest ? [...head, rest] : head);
  }

  const clientData = (type: string, { challenge }: Options) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: appUrl, crossOrigin: false }));

  const common = {
    id: id.toString("base64url"),
    rawId: id.toString("base64url"),
    type: "public-key",
    clientExtensionResults: {},
  };

  return {
    register(options: Options, { verified = true }: Asking = {}): string {
      handle = options.user?.id;
      const length = Buffer.from([0, id.length]);
      const data = authenticatorData(verified, Buffer.concat([Buffer.alloc(16), length, id, key]));
      const attestationObject = Buffer.concat([
        Buffer.from([0xa3]),
        ...[text("fmt"), text("none"), text("attStmt"), Buffer.from([0xa0]), text("authData")],
        ...[Buffer.from([0x58, data.length]), data],
      ]);
      const response = {
        clientDataJSON: clientData("webauthn.create", options).toString("base64url"),
        attestationObject: attestationObject.toString("base64url"),
        transports: ["internal"],
      };
      return JSON.stringify({ ...common, response });
    },
    signIn(
      options: Options,
      { verified = true, userHandle = handle ?? null }: Asking = {},
    ): string {
      const data = authenticatorData(verified, null);
      const client = clientData("webauthn.get", options);
      const signature = sign("sha256", Buffer.concat([data, sha256(client)]), privateKey);
      const response = {
        clientDataJSON: client.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: signature.toString("base64url"),
        ...(userHandle !== null && { userHandle }),
      };
      return JSON.stringify({ ...common, response });
    },
  };
}
