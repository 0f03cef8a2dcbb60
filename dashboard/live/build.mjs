// Bundles the live pages: node build.mjs MODULES OUTPUT, where MODULES is a folder node_modules made by `npm ci`.
// Every file has a hash of its content in its name; manifest.json maps the names that the pages use to files.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { gzipSync } from "node:zlib";

const [modules, output] = process.argv.slice(2).map((folder) => path.resolve(folder));
const { build } = createRequire(path.join(modules, "build.mjs"))("esbuild");
const sources = path.join(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), "src");
const pages = ["ask", "compare", "day", "hand_in", "laboratory", "what_if"];
const shared = {
  absWorkingDir: sources,
  nodePaths: [modules],
  outdir: output,
  bundle: true,
  minify: true,
  metafile: true,
  target: ["chrome111", "firefox115", "safari16.4"],
  legalComments: "none",
  logLevel: "warning",
};

const bundles = [
  await build({
    ...shared,
    entryPoints: pages.map((page) => `${page}.js`),
    format: "esm",
    splitting: true,
    entryNames: "[name]-[hash]",
    chunkNames: "shared-[hash]",
  }),
  await build({ ...shared, entryPoints: ["start.js", "worker.js"], format: "iife", entryNames: "[name]-[hash]" }),
];
const manifest = {};
for (const { metafile } of bundles) {
  for (const [file, { entryPoint }] of Object.entries(metafile.outputs)) {
    if (entryPoint) manifest[path.basename(entryPoint)] = path.basename(file);
  }
}

// The inputs of the bundles, with their licences, which must be distributed with them.
const inputs = bundles.flatMap(({ metafile }) => Object.keys(metafile.inputs));
const packages = new Set(inputs.map((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]).filter(Boolean));
const licences = [...packages].sort().map((name) => {
  const folder = path.join(modules, name);
  const { version, license } = JSON.parse(readFileSync(path.join(folder, "package.json")));
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice)/i.test(file))
    .map((file) => readFileSync(path.join(folder, file), "utf8").trim());
  return [`${name} ${version}, ${license}`, ...texts].join("\n\n");
});

// The engine, compressed here because not every host compresses. Its suffix hides that from hosts.
const distributed = path.join(modules, "@duckdb", "duckdb-wasm", "dist");
const packed = gzipSync(readFileSync(path.join(distributed, "duckdb-eh.wasm")), { level: 9 });
manifest.engine = `engine-${createHash("sha256").update(packed).digest("hex").slice(0, 8)}.bin`;
mkdirSync(output, { recursive: true });
writeFileSync(path.join(output, manifest.engine), packed);
writeFileSync(path.join(output, "licences.txt"), `${licences.join(`\n\n${"-".repeat(80)}\n\n`)}\n`);
writeFileSync(path.join(output, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
