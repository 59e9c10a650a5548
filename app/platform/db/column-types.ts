import type { ColumnType } from "kysely";

/** Written as JSON text on both engines, read as a value. */
export type Json<T> = ColumnType<T, string, string>;
export type Time = Date;
export type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>;
