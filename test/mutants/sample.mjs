// A Stryker plugin that skips all mutants except a random sample. Plain JavaScript, because Stryker compiles
// no plugins.
import { createHash } from 'node:crypto';
import { declareFactoryPlugin, PluginKind } from '@stryker-mutator/api/plugin';

const share = Number(process.env.MUTANT_SHARE ?? 1);
const seed = process.env.MUTANT_SEED ?? '1';

/** Returns a number from 0 to 1, always the same for a seed and mutant. */
function chanceOf({ fileName, location, replacement }) {
  const file = fileName.replace(/^.*?\/(?=(shared|infra|functions)\/)/, '');
  const text = JSON.stringify([seed, file, location, replacement]);
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;
}

const result = (mutant) =>
  chanceOf(mutant) < share ? { status: 'passed' } : { status: 'compileError', reason: 'not in the sample' };

const checker = () => ({
  init: async () => {},
  check: async (mutants) => Object.fromEntries(mutants.map((mutant) => [mutant.id, result(mutant)])),
});

export const strykerPlugins = [declareFactoryPlugin(PluginKind.Checker, 'sample', checker)];
