import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { Wordmark } from "~/ui/brand.tsx";
import compass from "~/ui/illustrations/compass.svg?raw";
import emptyPath from "~/ui/illustrations/empty-path.svg?raw";
import horizon from "~/ui/illustrations/horizon.svg?raw";
import { Illustration } from "~/ui/illustrations/illustration.tsx";
import twoChairs from "~/ui/illustrations/two-chairs.svg?raw";
import water from "~/ui/illustrations/water.svg?raw";
import type { Share } from "~content/schema.ts";
import { site } from "~content/site.ts";
import { Stones } from "./drawings.tsx";

const drawings: Record<
  Share[string]["drawing"],
  { place: "below" | "beside"; picture: ReactNode }
> = {
  horizon: {
    place: "below",
    picture: <Illustration drawing={horizon} band="horizon" className="at-horizon" />,
  },
  water: {
    place: "below",
    picture: <Illustration drawing={water} band="water" className="at-water" />,
  },
  stones: { place: "below", picture: <Stones className="at-stones" /> },
  path: { place: "beside", picture: <Illustration drawing={emptyPath} className="at-path" /> },
  compass: { place: "beside", picture: <Illustration drawing={compass} className="at-compass" /> },
  kitchen: { place: "beside", picture: <img alt="" src="/pictures/ten-past-four.svg" /> },
  chairs: { place: "beside", picture: <Illustration drawing={twoChairs} className="at-chairs" /> },
};

/** A card of content/share.ts as a page of 1200 by 630. */
export function cardPage({ title, line, drawing }: Share[string]): string {
  const { place, picture } = drawings[drawing];
  const isShort = title.length < 22;
  return renderToStaticMarkup(
    <html lang="en">
      <head>
        <link rel="stylesheet" href="/scripts/pictures/card.css" />
      </head>
      <body>
        <div className={`card card-${place} ${isShort ? "card-short" : ""}`}>
          {picture}
          <div className="card-words">
            <Wordmark name={site.name} />
            <h1>{title}</h1>
            {line && <p>{line}</p>}
          </div>
        </div>
      </body>
    </html>,
  );
}
