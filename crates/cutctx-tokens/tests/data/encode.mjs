// Writes ids.json: the tokens of strings.json as two implementations outside of Rust's crates count them.
// README.md beside this file says how to run it.

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(join(process.cwd(), "package.json"));
const here = dirname(fileURLToPath(import.meta.url));
const wasm = require("tiktoken");

const ordinary = { allowedSpecial: new Set(), disallowedSpecial: new Set() };
const encodings = ["o200k_base", "o200k_harmony", "cl100k_base", "p50k_base", "r50k_base"];
const first = {}, second = {};
for (const name of encodings) {
  const javascript = require(`gpt-tokenizer/cjs/encoding/${name}`);
  first[name] = (text) => Array.from(javascript.encode(text, ordinary));
  // The harmony vocabulary differs from o200k_base in its marks alone, and none is encoded here.
  const compiled = wasm.get_encoding(name.replace("harmony", "base"));
  second[name] = (text) => Array.from(compiled.encode_ordinary(text));
}

const cases = JSON.parse(readFileSync(join(here, "strings.json"), "utf8")).map(({ unit, times }) => {
  const text = unit.repeat(times);
  const result = { unit, times };
  for (const name of encodings) {
    const one = first[name](text);
    // Where the two differ, OpenAI's own code holds.
    const other = second[name](text);
    if (JSON.stringify(one) !== JSON.stringify(other)) {
      console.log(`they differ on ${name}: ${JSON.stringify(text.slice(0, 60))}`, one.slice(0, 20), other.slice(0, 20));
      result.differing ??= [];
      result.differing.push(name);
    }
    // Long rows of ids say no more than their number and their beginning.
    result[name] = { count: other.length, head: other.slice(0, other.length > 64 ? 16 : 64) };
  }
  return result;
});
writeFileSync(join(here, "ids.json"), `[\n${cases.map((one) => JSON.stringify(one)).join(",\n")}\n]\n`);
console.log(`${cases.length} strings`);
