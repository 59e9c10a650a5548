import { isIP } from "node:net";
import { checkServerIdentity, connect, type PeerCertificate } from "node:tls";
import { lookLimitMs, type Seen } from "./finding.ts";

const dayMs = 24 * 3600_000;
/** Days: certbot and Caddy renew at thirty. */
const [soon, late] = [14, 3];

/** The certificate of an https address: until when it is good, for which name, and who vouches. */
export async function lookAtCertificate(appUrl: string, now: Date): Promise<Seen> {
  const { hostname, port } = new URL(appUrl);
  const title = `Certificate of ${hostname}`;
  try {
    const { certificate, refusal } = await readCertificate(hostname, Number(port || 443));
    return { title, ...judged(hostname, { certificate, refusal, now }) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { state: "missing", title, text: `No connection to ${appUrl}: ${code ?? message}.` };
  }
}

type Read = { certificate: PeerCertificate; refusal: string | null };

function readCertificate(host: string, port: number): Promise<Read> {
  return new Promise((resolve, reject) => {
    const name = isIP(host) ? {} : { servername: host };
    // Looked at, and not believed: what is wrong with it is what is asked.
    const socket = connect({ host, port, ...name, rejectUnauthorized: false });
    const limit = setTimeout(
      () => socket.destroy(Object.assign(new Error("no answer"), { code: "ETIMEDOUT" })),
      lookLimitMs,
    );
    socket.once("close", () => clearTimeout(limit));
    socket.once("error", reject);
    socket.once("secureConnect", () => {
      const certificate = socket.getPeerCertificate();
      const refusal = socket.authorized ? null : String(socket.authorizationError ?? "unknown");
      resolve({ certificate, refusal });
      socket.destroy();
    });
  });
}

function judged(
  host: string,
  { certificate, refusal, now }: Read & { now: Date },
): Pick<Seen, "state" | "text"> {
  const wrongName = checkServerIdentity(host, certificate);
  const days = Math.floor((Date.parse(certificate.valid_to) - now.getTime()) / dayMs);
  if (wrongName)
    return { state: "missing", text: `It is not for this name (${names(certificate)}).` };
  if (days < 0) return { state: "missing", text: `It ended ${-days} days ago. Renew it.` };
  if (refusal !== null && !refusal.includes("ALTNAME"))
    return { state: "missing", text: `Browsers do not trust it (${refusal.slice(0, 100)}).` };
  const text = `It is good for ${days} more ${days === 1 ? "day" : "days"}.`;
  if (days < late) return { state: "missing", text: `${text} Renewing it does not work.` };
  return days < soon
    ? { state: "look", text: `${text} It should have been renewed by now.` }
    : { state: "good", text };
}

const names = ({ subjectaltname = "" }: PeerCertificate) =>
  subjectaltname.replaceAll("DNS:", "").slice(0, 100) || "it names none";
