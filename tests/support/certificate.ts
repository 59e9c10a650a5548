import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "./config.ts";

/** A certificate for localhost that only its own file vouches for. */
export function selfMadeCertificate(days = 1, names = "DNS:localhost,IP:127.0.0.1") {
  const folder = temporaryFolder();
  const [keyFile, certFile] = [path.join(folder, "key.pem"), path.join(folder, "cert.pem")];
  const made = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
  execFileSync(
    "openssl",
    [
      ...made.split(" "),
      ...["-days", String(days), "-subj", "/CN=localhost"],
      ...["-addext", `subjectAltName=${names}`],
      ...["-keyout", keyFile, "-out", certFile],
    ],
    { stdio: "pipe" },
  );
  return { certFile, keyFile, cert: readFileSync(certFile), key: readFileSync(keyFile) };
}
