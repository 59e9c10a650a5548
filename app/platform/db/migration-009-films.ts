import { type Kysely, sql } from "kysely";

/** What films are made of, the smaller ones and the sound that are made of them, and how far that is. */
export async function films(db: Kysely<unknown>): Promise<void> {
  const statements = [
    ...["video_codec text", "audio_codec text", "width integer", "height integer"],
    ...[
      "rendition text",
      "rendition_of text",
      "converted_percent integer",
      "conversion_fault text",
    ],
  ].map((column) => `alter table media_files add column ${column}`);
  statements.push(
    "create index media_files_renditions on media_files (rendition_of) where rendition_of is not null",
    "alter table uploads add column rendition text",
    "alter table uploads add column rendition_of text",
  );
  for (const statement of statements) await sql.raw(statement).execute(db);
}
