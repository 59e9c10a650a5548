import type { ReactNode } from "react";
import { administratorsPath } from "~/features/accounts/messages.ts";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { PicturePanel } from "~/features/pictures/components/picture-panel.tsx";
import { findPortrait } from "~/features/pictures/pictures.server.ts";
import { redirectsPath } from "~/features/redirects/messages.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/settings.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const { email } = requireAdmin(context, url);
  const services = servicesOf(context);
  const { config } = services;
  const portrait = await findPortrait(services, "Your portrait");
  const stripeKey = config.stripe?.secretKey;
  return {
    email,
    portrait,
    hasMailServer: Boolean(config.smtpUrl),
    stripe: !stripeKey ? "none" : stripeKey.includes("_test_") ? "test" : "live",
    hasNewsletterProvider: Boolean(config.newsletterForm),
  } as const;
}

const stripeWords = {
  none: "Stripe is not connected, so no course can be bought.",
  test: "Stripe is connected in test mode: no money moves.",
  live: "Stripe is connected.",
};

export default function SettingsPage({ loaderData }: Route.ComponentProps) {
  const { email, hasMailServer, stripe, hasNewsletterProvider, portrait } = loaderData;
  return (
    <AdminPage title="Settings" lead="How the site is connected, and your own account.">
      <PageHead title="Settings" noindex />
      <ul className="admin-rows admin-settings">
        <Setting title="Your account" href="/account" link="Account">
          You are signed in as {email}. Name, password, devices and the second step of signing in.
        </Setting>
        <Setting title="Administrators" href={administratorsPath} link="Administrators">
          Who can open this area. Invite another one, or remove one.
        </Setting>
        <Setting title="Email" href="/admin/mail" link="Emails">
          {hasMailServer
            ? "Emails are sent through your mail server."
            : "No mail server is set up: emails become files and are not sent."}
        </Setting>
        <Setting title="Payments" href="/admin/payments" link="Payments">
          {stripeWords[stripe]}
        </Setting>
        <Setting title="Newsletter" href="/admin/newsletter" link="Newsletter">
          {hasNewsletterProvider
            ? "New signups go to your newsletter provider."
            : "The list of subscribers is on this site."}
        </Setting>
        <Setting title="Help numbers" href="/admin/help" link="Help numbers">
          Where the numbers for people in danger are from, and when they were last checked.
        </Setting>
        <Setting title="Addresses" href={redirectsPath} link="Addresses">
          Where old addresses lead, and which pages visitors did not find.
        </Setting>
        <Setting title="Audit log" href="/admin/audit" link="Audit log">
          Every change made in the admin area, with who made it.
        </Setting>
      </ul>
      <PicturePanel use="portrait" picture={portrait} title="Your portrait">
        On the first page and on the about page, four wide to five high, instead of the drawing.
      </PicturePanel>
    </AdminPage>
  );
}

type SettingProps = { title: string; href: string; link: string; children: ReactNode };

function Setting({ title, href, link, children }: SettingProps) {
  return (
    <li>
      <div className="min-w-0">
        <h2 className="text-lg">{title}</h2>
        <p className="text-sm text-ink-soft wrap-anywhere">{children}</p>
      </div>
      <a href={href}>{link}</a>
    </li>
  );
}
