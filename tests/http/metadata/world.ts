import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { createCourse } from "../../support/courses.ts";
import { createPerson } from "../../support/people.ts";
import { startSite } from "../../support/site.ts";
import { origin } from "./pages.ts";

/** The site with its sample courses and one more, whose title needs care. */
export async function openMetadataSite(env: Record<string, string> = {}) {
  const site = await startSite({ SAMPLE_CONTENT: "on", APP_URL: origin, ...env });
  const letters = await createCourse(site.services, [[{ title: "One" }]], {
    slug: "letters",
    title: "Letters & <unsent> “words”",
  });
  const student = await createPerson(site.services);
  await enroll(site.services, { userId: student.id, productId: letters.id });
  return { ...site, letters, student };
}
