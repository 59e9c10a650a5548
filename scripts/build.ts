import { build } from "./build/build.ts";

build();
