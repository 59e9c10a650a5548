import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { expect, onTestFinished, test } from "vitest";
import { selfMadeCertificate } from "../../../tests/support/certificate.ts";
import { MailServerAway } from "./mail.ts";
import { smtpMailer } from "./smtp.ts";

/** A mail server on all addresses of this machine. `passwords` are those that it was told. */
async function mailServer(options: SMTPServerOptions) {
  const passwords: unknown[] = [];
  const names: unknown[] = [];
  const server = new SMTPServer({
    onAuth({ password }, _, done) {
      passwords.push(password);
      done(null, { user: "me" });
    },
    onData(stream, { hostNameAppearsAs }, done) {
      names.push(hostNameAppearsAs);
      stream.on("end", done).resume();
    },
    ...options,
  });
  server.on("error", () => {});
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
  return { port: (server.server.address() as AddressInfo).port, passwords, names };
}

const plain = () => mailServer({ disabledCommands: ["STARTTLS"] });

/** @returns what went wrong */
async function failureAt(url: string, name?: string): Promise<unknown> {
  const mailer = smtpMailer(url, { from: "a@example.com", replyTo: "a@example.com" }, name);
  const message = { id: "one", to: { name: "", address: "b@example.com" }, subject: "s" };
  try {
    await mailer.send({ ...message, text: "t", html: "t" } as never);
    return null;
  } catch (error) {
    return error;
  } finally {
    mailer.close();
  }
}

const address = Object.values(networkInterfaces())
  .flat()
  .find((one) => one && !one.internal && one.family === "IPv4")?.address;

test.runIf(address)(
  "a password never goes to another machine unencrypted, unless asked to",
  async () => {
    const { port, passwords } = await plain();
    const failure = await failureAt(`smtp://me:secret@${address}:${port}`);
    expect(failure).toBeInstanceOf(MailServerAway);
    expect((failure as Error).message).toMatch(/offers no encryption .* the password was not sent/);
    expect(passwords).toEqual([]);
    expect(await failureAt(`smtp://me:secret@${address}:${port}?requireTLS=false`)).toBeNull();
    expect(passwords).toEqual(["secret"]);
  },
);

test("a server on this machine may be told it as it is", async () => {
  const { port, passwords } = await plain();
  for (const host of ["127.0.0.1", "localhost"])
    expect(await failureAt(`smtp://me:secret@${host}:${port}`)).toBeNull();
  expect(passwords).toEqual(["secret", "secret"]);
});

test("the site gives its own name to the mail server", async () => {
  const { port, names } = await plain();
  expect(await failureAt(`smtp://me:secret@127.0.0.1:${port}`, "grief.example")).toBeNull();
  expect(names).toEqual(["grief.example"]);
});

test("smtps:// at a port that begins unencrypted, and smtp:// at the other, say what to write", async () => {
  const { cert, key } = selfMadeCertificate();
  const [unencrypted, encrypted] = [await plain(), await mailServer({ secure: true, cert, key })];
  const words = async (url: string) => ((await failureAt(url)) as Error).message;
  expect(await words(`smtps://127.0.0.1:${unencrypted.port}`)).toMatch(/write smtp:\/\/ instead/);
  expect(await words(`smtp://127.0.0.1:${encrypted.port}?greetingTimeout=200`)).toMatch(
    /write smtps:\/\/ instead/,
  );
});
