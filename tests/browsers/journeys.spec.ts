import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { write } from "../e2e/support/journal.ts";
import { createCoach } from "../e2e/support/lessons.ts";
import { linkInMail } from "../e2e/support/mail.ts";
import { longFilm } from "../e2e/support/media.ts";
import { createListener, lessonPath } from "../e2e/support/playback.ts";
import { blueDot, firstLesson, keptLine, secondLesson } from "../e2e/support/player.ts";
import { createStudent, givePassword, journalsOf } from "../e2e/support/students.ts";
import { createAccount, goodPassword, newAddress } from "../support/accounts.ts";
import type { Page } from "./support/page.ts";
import { expect, phone, signInAs, test } from "./support/test.ts";

const night = "rgb(18, 24, 31)";
const day = "rgb(251, 248, 243)";

test("public pages on a phone, by night: dialog, menu, theme", async ({ site, tab }) => {
  await tab.driver.resize(phone.width, phone.height);
  const paper = () => tab.style("html", "background-color");

  await test.step("every page is dark and fits", async () => {
    for (const path of ["/about", "/courses", "/coaching", "/courses/blue-dot-method", "/"]) {
      await tab.open(path);
      expect(await paper(), path).toBe(night);
      expect(await tab.run(() => document.documentElement.scrollWidth), path).toBe(phone.width);
    }
  });

  await test.step("the menu opens, leads on and closes", async () => {
    await tab.click("button", "Menu");
    await tab.click("link", "About", "#site-nav");
    await tab.isAt("/about");
    await tab.has("link", "About", "#site-nav", false);
    await tab.click("button", "Menu");
    await tab.press("Escape");
    await tab.has("link", "About", "#site-nav", false);
  });

  await test.step("the dialog takes the focus, gives it back, and sends", async () => {
    await tab.click("button", "Subscribe", "header");
    await tab.isFocused("field", "First name", "dialog");
    await tab.press("Escape");
    await tab.isFocused("button", "Subscribe", "header");
    await tab.press("Enter");
    const email = newAddress();
    await tab.fill("First name", "Ines", "dialog");
    await tab.fill("Email address", email, "dialog");
    await tab.click("button", "Subscribe", "dialog");
    await tab.sees("Check your email shortly for a confirmation email");
    await linkInMail(site.dataDir, email, "/newsletter/confirm");
  });

  await test.step("the theme changes, and another page has it", async () => {
    await tab.open("/courses");
    await tab.click("button", "Menu");
    await tab.click("button", "Theme: same as this device");
    await tab.has("button", "Theme: light");
    expect(await paper()).toBe(day);
    await tab.open("/about");
    expect(await paper()).toBe(day);
  });
});

test("sign-up, until the email address is confirmed", async ({ site, tab }) => {
  const email = newAddress();
  await tab.openHydrated("/auth");
  await tab.click("link", "Sign up");
  await tab.has("heading", "Create Account");
  await tab.fill("Name", "Mara");
  await tab.fill("Email", email);
  await tab.fill("Password", "Quiet Morning 1");
  await tab.click("button", "Create Account");
  await tab.sees("Please check your email to verify your account.");
  await tab.open(await linkInMail(site.dataDir, email, "/auth/verify"));
  await tab.click("button", /confirm/i);
  await tab.isAt("/my-courses");
  await tab.sees("You haven't enrolled in any courses yet");
});

async function signIn(tab: Page, email: string) {
  await tab.fill("Email", email);
  await tab.fill("Password", goodPassword);
  await tab.click("button", "Sign In");
}

test("sign-in and sign-out", async ({ site: { services }, tab }) => {
  const { email } = await createAccount(services);

  await test.step("a private page asks for it, and comes then", async () => {
    await tab.open("/account");
    await tab.isAt("/auth?redirect=/account");
    await tab.hydrated();
    await signIn(tab, email);
    await tab.isAt("/account");
    await tab.sees(email);
    await tab.has("link", "My Courses", "header");
  });

  await test.step("signed out, the page before shows nothing any more", async () => {
    await tab.click("button", "Sign out");
    await tab.isAt("/");
    await tab.has("link", "Log In", "header");
    await tab.driver.back();
    await tab.sees(/You are signed out|Welcome Back/);
    await tab.seesNo(email);
    await tab.open("/account");
    await tab.isAt("/auth?redirect=/account");
  });
});

const noConnection = /Failed to load resource|Could not connect|NetworkError|network connection/i;

test("a lesson: typed, cut off, restored, completed", async ({ site, gate, tab, mayComplain }) => {
  mayComplain.push(noConnection);
  const { services } = site;
  const student = await createStudent(services);
  const words = "On the train, in the tunnel. Ruhe, Großmutter, 静けさ.";
  await signInAs(tab, site, student);
  await tab.openHydrated(gate.url + blueDot);
  await tab.has("heading", firstLesson);

  await test.step("what is typed is a draft", async () => {
    await tab.fill(/^1\. /, "On the train.");
    await tab.sees(keptLine);
  });

  await test.step("without a connection it stays on the device, and can be sent when there is one", async () => {
    gate.cut();
    await tab.fill(/^1\. /, words);
    await tab.sees(
      "The site cannot be reached just now. What you wrote is saved on this device, for about a week.",
    );
    await tab.click("button", "Mark as Complete");
    await tab.sees("No connection. We will try again when it is back.");
    await tab.hasValue(/^1\. /, words);
    await tab.fill(/^2\. /, "Still writing.");
    gate.mend();
    await tab.driver.reload();
    await tab.hydrated();
    await tab.hasValue(/^1\. /, words);
    await tab.hasValue(/^2\. /, "Still writing.");
  });

  await test.step("completed, it is in the journal, and the next lesson is open", async () => {
    await tab.click("button", "Mark as Complete");
    await tab.sees("Lesson completed!");
    await tab.has("heading", secondLesson);
    const [first] = await journalsOf(services, student.id);
    expect(first).toContain(words);
    expect(first).toContain("Still writing.");
  });
});

test("film and audio: play, seek, captions", async ({ site, tab }) => {
  const { course, student } = await createListener(site.services);
  const video = "section[aria-label=Video]";
  const audio = "section[aria-labelledby=audio-title]";
  const stateOf = (kind: "video" | "audio") =>
    tab.run((selector) => {
      const media = document.querySelector(selector) as HTMLMediaElement;
      return { at: media.currentTime, isPaused: media.paused, error: media.error?.code ?? null };
    }, kind);
  const playsBeyond = (kind: "video" | "audio", seconds: number) =>
    expect(async () => {
      const { at, isPaused, error } = await stateOf(kind);
      expect(error).toBe(null);
      expect(isPaused).toBe(false);
      expect(at).toBeGreaterThan(seconds);
    }).toPass();
  await signInAs(tab, site, student);
  await tab.openHydrated(lessonPath(course));

  await test.step("the film plays, and stops where it is set to", async () => {
    await tab.sees("Length 1:00", video);
    await tab.click("button", "Play", video);
    await playsBeyond("video", 0.2);
    await tab.click("button", "Pause", video);
    await tab.click("slider", "Position", video);
    await tab.press("Home");
    for (let presses = 0; presses < 3; presses += 1) await tab.press("ArrowRight");
    await expect.poll(async () => (await stateOf("video")).at).toBe(15);
    await tab.click("button", "Play", video);
    await playsBeyond("video", 15.2);
  });

  await test.step("captions are shown", async () => {
    await tab.click("button", "Captions", video);
    await tab
      .becomes(() => {
        const track = document.querySelector("video")?.textTracks[0];
        return [track?.mode, track?.cues?.length];
      })
      .toBe(["showing", 1]);
  });

  await test.step("the audio plays from its middle, and the film stops", async () => {
    await tab.click("slider", "Position", audio);
    await tab.click("button", "Play", audio);
    await playsBeyond("audio", 25);
    expect((await stateOf("video")).isPaused).toBe(true);
  });
});

test("a course is made, and an upload that is cut goes on", async ({
  site,
  gate,
  tab,
  mayComplain,
}) => {
  mayComplain.push(noConnection);
  const { services } = site;
  const film = longFilm();
  await signInAs(tab, site, await createCoach(services));

  await test.step("course, module and lesson", async () => {
    await tab.openHydrated(`${gate.url}/admin`);
    await tab.click("link", "New course");
    await tab.has("heading", "New course");
    await tab.fill(/^Title/, "The first days");
    await tab.hasValue(/^Slug/, "the-first-days");
    await tab.fill(/^Price/, "97");
    await tab.click("button", "Create course");
    await tab.sees("Course created successfully");
    await tab.click("link", "Add module");
    await tab.has("heading", "New module");
    await tab.fill(/^Title/, "Week 1");
    await tab.click("button", "Create module");
    await tab.sees("Module created successfully");
    await tab.click("link", "Add lesson to Week 1");
    await tab.has("heading", "New lesson");
    await tab.fill(/^Title/, "Where you are");
    await tab.fill("Text", "Sit down.");
    await tab.click("button", "Create lesson");
    await tab.sees("Lesson created successfully");
  });

  await test.step("the film's upload waits for the connection, and goes on", async () => {
    const video = "[aria-labelledby=media-video]";
    gate.hold(5_000_000);
    await tab.choose("Choose a video file", film, video);
    await gate.isFull();
    await tab.sees("Uploading", video);
    gate.cut();
    await tab.sees("The connection is lost. Trying again by itself.", video);
    gate.open();
    gate.mend();
    await tab.sees("0:01 · 24 MB", video);
  });

  await test.step("students get the bytes of the file", async () => {
    const { muxPlaybackId } = await services.db.read
      .selectFrom("lessons")
      .select("muxPlaybackId")
      .where("title", "=", "Where you are")
      .executeTakeFirstOrThrow();
    const sent = readFileSync(film);
    const stored = await services.storage.open("course-videos", muxPlaybackId ?? "");
    const bytes = await stored?.read(0, sent.length);
    await stored?.close();
    expect(sent.equals(bytes ?? Buffer.alloc(0))).toBe(true);
  });
});

test("the journal is printed as a book", async ({ site, tab }) => {
  const { services } = site;
  const student = await createStudent(services);
  const chapter = Array.from({ length: 6 }, () =>
    "I went down to the river again. ".repeat(8),
  ).join("\n\n");
  await write(services, student.id, [[chapter, chapter], ["Short."], [chapter, chapter]]);
  await signInAs(tab, site, student);
  await tab.openHydrated("/my-courses/journal");
  await tab.click("link", "Print it as a book");
  await tab.has("button", "Print");

  await test.step("the button asks the browser to print", async () => {
    await tab.run(() => {
      window.print = () => document.body.setAttribute("data-printed", "");
    });
    // The script that listens comes after the page.
    await expect(async () => {
      await tab.click("button", "Print");
      expect(await tab.run(() => document.body.hasAttribute("data-printed"))).toBe(true);
    }).toPass();
  });

  await test.step("as a PDF it has pages, where the driver can print", async () => {
    const pdf = await tab.driver.print();
    if (!pdf) return;
    expect(pagesOf(pdf)).toBeGreaterThan(3);
  });

  await test.step("by the rules for paper, it is dark on white, and has nothing of the interface", async () => {
    await tab.run(usePaperRules);
    await tab.has("button", "Print", "body", false);
    await tab.has("link", "My journal", "body", false);
    await tab.sees(student.name);
    await tab.sees("I went down to the river again.");
    expect(await tab.style(".book-words", "color")).toBe("rgb(31, 42, 53)");
  });
});

/** How many pages a PDF has. Firefox packs what describes them. */
function pagesOf(pdf: Buffer): number {
  const packed = pdf
    .toString("latin1")
    .matchAll(/\/Type\s*\/ObjStm.*?stream\r?\n(.*?)\r?\nendstream/gs);
  const objects = [...packed].map(([, bytes = ""]) => inflateSync(Buffer.from(bytes, "latin1")));
  return objects.join("\n").match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
}

/** In the page: what is for paper holds for the screen, and what is for the screen does not. */
function usePaperRules() {
  const turn = (rules: CSSRuleList) => {
    for (const rule of rules) {
      if (rule instanceof CSSMediaRule) {
        const { mediaText } = rule.media;
        if (/\bprint\b/.test(mediaText)) rule.media.mediaText = mediaText.replace("print", "all");
        else if (/\bscreen\b/.test(mediaText)) rule.media.mediaText = "not all";
      }
      if ("cssRules" in rule) turn(rule.cssRules as CSSRuleList);
    }
  };
  for (const sheet of document.styleSheets) turn(sheet.cssRules);
}

test("without scripts, on a phone: menu, newsletter, sign-in, a lesson, sign-out", async ({
  site: { services, dataDir },
  plainTab: tab,
}) => {
  const student = await createStudent(services);
  await givePassword(services, student.id, goodPassword);

  await test.step("the menu opens, and the newsletter is joined", async () => {
    await tab.open("/courses");
    expect(await tab.run(() => matchMedia("(scripting: none)").matches)).toBe(true);
    await tab.click("button", "Menu");
    await tab.click("link", "About", "#site-nav");
    await tab.isAt("/about");
    const email = newAddress();
    await tab.click("button", "Subscribe", "header");
    await tab.isAt(/^\/newsletter/);
    await tab.fill("First name", "Ines", "main");
    await tab.fill("Email address", email, "main");
    await tab.click("button", "Subscribe", "main");
    await tab.isAt("/thank-you");
    await linkInMail(dataDir, email, "/newsletter/confirm");
  });

  await test.step("a lesson is answered", async () => {
    await tab.open(`/auth?redirect=${blueDot}`);
    await signIn(tab, student.email);
    await tab.has("heading", firstLesson);
    await tab.fill(/^1\. /, "By the window.");
    await tab.click("button", "Mark as Complete");
    await tab.sees("Lesson completed!");
    await tab.has("heading", secondLesson);
    expect((await journalsOf(services, student.id))[0]).toContain("By the window.");
  });

  await test.step("sign-out", async () => {
    await tab.open("/my-courses");
    await tab.click("button", "Sign out");
    await tab.isAt("/");
    await tab.open("/my-courses");
    await tab.isAt("/auth?redirect=/my-courses");
  });
});
