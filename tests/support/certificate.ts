import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "./config.ts";

/** A certificate for localhost that only its own file vouches for, good for a day. */
export function selfMadeCertificate() {
  const folder = temporaryFolder();
  const [keyFile, certFile] = [path.join(folder, "key.pem"), path.join(folder, "cert.pem")];
  const made = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1";
  execFileSync(
    "openssl",
    [
      ...made.split(" "),
      ...["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
      ...["-keyout", keyFile, "-out", certFile],
    ],
    { stdio: "pipe" },
  );
  return { certFile, keyFile, cert: readFileSync(certFile), key: readFileSync(keyFile) };
}
