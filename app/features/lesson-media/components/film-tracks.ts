import type { Input } from "mediabunny";
import type { FilmFacts } from "../films.ts";

/** What the tracks of an opened file are. @throws if they cannot be read */
export async function filmTracks(input: Input): Promise<FilmFacts> {
  const [video, audio] = await Promise.all([
    input.getPrimaryVideoTrack(),
    input.getPrimaryAudioTrack(),
  ]);
  return {
    videoCodec: video && (await codecOf(video)),
    audioCodec: audio && (await codecOf(audio)),
    width: video && (await video.getDisplayWidth()),
    height: video && (await video.getDisplayHeight()),
  };
}

type Track = NonNullable<
  Awaited<ReturnType<Input["getPrimaryVideoTrack" | "getPrimaryAudioTrack"]>>
>;

async function codecOf(track: Track): Promise<string> {
  const known = await track.getCodecParameterString();
  return known ?? String((await track.getInternalCodecId()) ?? "?").slice(0, 40);
}
