import SMTPConnection from "nodemailer/lib/smtp-connection";
import { isThisMachine } from "../config/config.ts";
import { smtpError } from "../email/smtp.ts";
import { lookLimitMs, type Seen } from "./finding.ts";

/** Whether the site answers at its address, as visitors open it. */
export async function lookAtSite(appUrl: string): Promise<Seen> {
  const title = "The site at its address";
  try {
    const answer = await fetch(`${appUrl}/healthz`, {
      redirect: "manual",
      signal: AbortSignal.timeout(lookLimitMs),
    });
    await answer.body?.cancel();
    return answer.status === 200
      ? { state: "good", title, text: `${appUrl} answers.` }
      : { state: "missing", title, text: `${appUrl}/healthz answers ${answer.status}.` };
  } catch (error) {
    return { state: "missing", title, text: `${appUrl} does not answer: ${why(error)}.` };
  }
}

/** How far apart the clocks may be, in seconds: codes of an app stop fitting at 30, and a signed
 * webhook at 300. */
const [far, tooFar] = [5, 30];

/** This machine's clock beside that of another one, by the Date header of its answer. */
export async function lookAtClock(url: string): Promise<Seen> {
  const title = "Clock";
  const { host } = new URL(url);
  try {
    const began = Date.now();
    const answer = await fetch(url, {
      method: "HEAD",
      redirect: "manual",
      signal: AbortSignal.timeout(lookLimitMs),
    });
    const theirs = Date.parse(answer.headers.get("date") ?? "");
    if (Number.isNaN(theirs)) return { state: "look", title, text: `${host} names no time.` };
    // The header has whole seconds: half of one is what it is off on average.
    const seconds = Math.round(((began + Date.now()) / 2 - theirs - 500) / 1000);
    const off = Math.abs(seconds);
    const text =
      off < 2
        ? `It agrees with that of ${host}.`
        : `It is ${off} seconds ${seconds > 0 ? "ahead of" : "behind"} that of ${host}.`;
    if (off < far) return { state: "good", title, text };
    const advice = `${text} Let the machine set it (timedatectl set-ntp true).`;
    return { state: off < tooFar ? "look" : "missing", title, text: advice };
  } catch (error) {
    return { state: "look", title, text: `${host} could not be asked: ${why(error)}.` };
  }
}

/** What the mail server says until an email would be sent: EHLO, STARTTLS, AUTH. */
export async function lookAtMailServer(smtpUrl: string, name: string): Promise<Seen> {
  const { hostname, port, protocol, username, password, searchParams } = new URL(smtpUrl);
  const title = `Mail server ${hostname}`;
  const secure = protocol === "smtps:";
  const isFar = !isThisMachine(hostname);
  const connection = new SMTPConnection({
    ...{ host: hostname, port: Number(port) || (secure ? 465 : 587), secure, name },
    requireTLS: username !== "" && isFar && searchParams.get("requireTLS") !== "false",
    ...{ connectionTimeout: lookLimitMs, greetingTimeout: lookLimitMs, socketTimeout: lookLimitMs },
  });
  const credentials = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  let limit: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      limit = setTimeout(() => reject(new Error("it says nothing")), lookLimitMs);
      connection.on("error", reject);
      connection.connect(() => {
        if (username === "") return resolve();
        connection.login({ credentials }, (error) => (error ? reject(error) : resolve()));
      });
    });
    const safe = connection.secure ? "encrypted" : "not encrypted";
    const signedIn = username === "" ? "asks for no password" : "accepts the password";
    const text = `It answers, ${safe}, and ${signedIn}.`;
    return { state: connection.secure || !isFar ? "good" : "look", title, text };
  } catch (error) {
    const text = `It cannot be used: ${smtpError(error, false).message.slice(0, 300)}`;
    return { state: "missing", title, text };
  } finally {
    clearTimeout(limit);
    connection.close();
  }
}

function why(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
  if (name === "TimeoutError") return "no answer within five seconds";
  return (cause?.code ?? cause?.message ?? message).slice(0, 200);
}
