import { readSession } from "~/platform/auth/session.ts";
import { type Figure, ms, noBar } from "./figure.ts";
import { inTurn, median } from "./measure.ts";
import type { World } from "./world.ts";

/** Finding out who asks, our way and the authentication library's, in turns. */
export async function sessions({ services, students }: World): Promise<Figure[]> {
  const ours: number[] = [];
  const library: number[] = [];
  const headers = students.map(({ cookie }) => new Headers({ cookie }));
  const at = (index: number) => headers[index % headers.length] ?? new Headers();
  for (let round = 0; round < 6; round++) {
    const own = await inTurn(200, (n) => readSession(services, at(n)));
    const theirs = await inTurn(200, (n) => services.auth.api.getSession({ headers: at(n) }));
    if (round === 0) continue; // warming up
    ours.push(...own);
    library.push(...theirs);
  }
  return [
    noBar(
      "who is asking: our one join (and the library's getSession)",
      `${ms(median(ours))} (${ms(median(library))})`,
    ),
  ];
}
