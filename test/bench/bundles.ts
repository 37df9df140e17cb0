import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { bundleForLambda } from '../../infra/deploy/bundle.ts';

const root = join(import.meta.dirname, '../..');
let building: Promise<string> | undefined;

/** Builds all bundles at the first call. Returns their folder. */
export function bundles(): Promise<string> {
  building ??= buildAll();
  return building;
}

/** Deletes the built bundles. Does nothing if none were built. */
export async function removeBundles(): Promise<void> {
  if (building) rmSync(await building, { recursive: true, force: true });
}

async function buildAll(): Promise<string> {
  mkdirSync(join(root, '.build'), { recursive: true });
  const folder = mkdtempSync(join(root, '.build/bench-'));
  // Without this `package.json`, Node would find the project's `package.json` and load the bundles as ES modules.
  writeFileSync(join(folder, 'package.json'), '{"type": "commonjs"}');
  await bundleForLambda(folder);
  return folder;
}

/** Returns the path of a function's bundle. */
export const fileOf = async (name: string) => join(await bundles(), name, 'index.js');

/** Loads a function's bundle into this process. Returns its handler. */
export async function bundledHandler(name: string) {
  const require = createRequire(import.meta.url);
  const { handler } = require(await fileOf(name));
  return handler as (event: unknown, context: Context) => Promise<APIGatewayProxyResult>;
}

/** Loads a new copy of a function's bundle, because a loaded copy keeps its old AWS endpoints. Returns its handler. */
export async function freshHandler(name: string) {
  const path = await fileOf(name);
  const require = createRequire(import.meta.url);
  const { [path]: kept } = require.cache;
  delete require.cache[path];
  const { handler } = require(path);
  if (kept) require.cache[path] = kept;
  else delete require.cache[path];
  return handler as (event: unknown, context: Context) => Promise<unknown>;
}
