import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { createPerson } from "../../support/people.ts";
import { createPublicContent } from "../../support/public-pages.ts";
import { startSite } from "../../support/site.ts";

/** The site's own origin, another than the one it is asked at. Not https: its cookies would be for https only. */
export const origin = "http://www.bluedot.example";

/** The site with its sample courses and one more, whose title needs care, with a student. */
export async function openMetadataSite(env: Record<string, string> = {}) {
  const site = await startSite({ SAMPLE_CONTENT: "on", APP_URL: origin, ...env });
  const letters = await createPublicContent(site.services);
  const student = await createPerson(site.services);
  await enroll(site.services, { userId: student.id, productId: letters.id });
  return { ...site, letters, student };
}
