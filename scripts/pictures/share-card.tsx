import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { Compass } from "~/ui/illustrations/compass.tsx";
import { EmptyPath } from "~/ui/illustrations/empty-path.tsx";
import { Horizon } from "~/ui/illustrations/horizon.tsx";
import { TwoChairs } from "~/ui/illustrations/two-chairs.tsx";
import { Water } from "~/ui/illustrations/water.tsx";
import { Wordmark } from "~/ui/wordmark.tsx";
import type { Share } from "~content/schema.ts";
import { site } from "~content/site.ts";
import { Stones } from "./drawings.tsx";

const drawings: Record<
  Share[string]["drawing"],
  { place: "below" | "beside"; picture: ReactNode }
> = {
  horizon: { place: "below", picture: <Horizon className="at-horizon" /> },
  water: { place: "below", picture: <Water className="at-water" /> },
  stones: { place: "below", picture: <Stones className="at-stones" /> },
  path: { place: "beside", picture: <EmptyPath className="at-path" /> },
  compass: { place: "beside", picture: <Compass className="at-compass" /> },
  kitchen: { place: "beside", picture: <img alt="" src="/pictures/ten-past-four.svg" /> },
  chairs: { place: "beside", picture: <TwoChairs className="at-chairs" /> },
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
