import { addCourse, createRelease } from "~/features/releases/releases.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { adminAt, type Given, ok, type Row, seeOther } from "../row.ts";

const list = "/admin/releases";
const releases = adminAt(list);
const release = adminAt("/admin/releases/:id");

/** A release that would change the price of a course. */
async function made({ services, world }: Given): Promise<string> {
  const id = await createRelease(services, "Spring");
  const priceCents = 100 + Math.floor(Math.random() * 90_000);
  await addCourse(services, id, { courseId: world.active.id, after: { priceCents } });
  return id;
}

const of = (form: Record<string, string>) => async (given: Given) => ({
  id: await made(given),
  form,
});
const at = (toast: string) => seeOther(/^\/admin\/releases\/[\w-]{36}$/, toast);

export const releaseRows: Row[] = [
  releases.page("the list", ok("Make a release")),
  releases.post("a new one", seeOther(/^\/admin\/releases\/[\w-]{36}$/), {
    form: { title: "Spring" },
  }),
  releases.post("one without a name", seeOther(list, "Error"), { form: { title: " " } }),
  release.page("one", ok("Publish all now", "Price"), async (given) => ({ id: await made(given) })),
  release.page("none", 404, { id: newId() }),
  release.post("publishing", at("Published together"), of({ intent: "publish" })),
  release.post("publishing none", 404, { id: newId(), form: { intent: "publish" } }),
  release.post("scheduling", at("Scheduled"), of({ intent: "schedule", at: nextMonth() })),
  release.post("scheduling without a time", at("Error"), of({ intent: "schedule", at: "soon" })),
  release.post("stopping what is not scheduled", at("Error"), of({ intent: "unschedule" })),
  release.post("taking back what is not published", at("Error"), of({ intent: "undo" })),
  release.post("adding a course", at("Added to the release"), async (given) => ({
    id: await made(given),
    form: { intent: "course", courseId: given.world.active.id, price: "12.34" },
  })),
  release.post("adding no course", 404, async (given) => ({
    id: await made(given),
    form: { intent: "course", courseId: newId(), price: "12.34" },
  })),
  release.post("an unclear price", at("Error"), async (given) => ({
    id: await made(given),
    form: { intent: "course", courseId: given.world.active.id, price: "a lot" },
  })),
  release.post("taking a change out", at("Removed from the release"), async (given) => ({
    id: await made(given),
    form: { intent: "remove", subject: `course:${given.world.active.id}` },
  })),
  release.post("deleting", seeOther(list, "Release deleted"), of({ intent: "delete" })),
  release.post("nothing that is known", 400, of({ intent: "x" })),
];

function nextMonth(): string {
  return new Date(Date.now() + 30 * 24 * 3600_000).toISOString().slice(0, 16);
}
