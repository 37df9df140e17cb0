import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { extname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync, type Plugin } from 'esbuild';

const target = ['es2020', 'chrome80', 'safari14.1', 'firefox80'];

const bundle = (path: string) => {
  const { outputFiles } = buildSync({
    entryPoints: [path],
    bundle: true,
    minify: true,
    write: false,
    format: path.includes('/shared/client/') ? 'esm' : 'iife',
    target,
    charset: 'utf8',
    legalComments: 'none',
    loader: { '.woff2': 'dataurl' },
    logLevel: 'silent',
  });
  return outputFiles[0]!.text;
};

const minifySvg = (svg: string) =>
  svg
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/\s*\n\s*/g, ' ')
    .replace(/> </g, '><');

/** Import suffix: `import text from './file?text'` imports the contents of a file as a string. */
export const textImportSuffix = '?text';

/** Builds a script, style, SVG or guide for a page. Throws for a syntax error. */
export function buildPageAsset(path: string): string {
  const make = { '.svg': minifySvg, '.md': String, '.py': String }[extname(path)];
  return (make ? make(readFileSync(path, 'utf8')) : bundle(path)).trim();
}

/** Returns an esbuild plugin that resolves imports ending in `?text` to the file's text. */
export const textImportPlugin = (): Plugin => ({
  name: 'page-assets',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\?text$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path.slice(0, -textImportSuffix.length)),
      namespace: 'page-asset',
    }));
    onLoad({ filter: /.*/, namespace: 'page-asset' }, ({ path }) => ({
      contents: buildPageAsset(path),
      loader: 'text',
    }));
  },
});

/** Registers Node module hooks for imports ending in `?text`. Node can then run the play page unbundled. */
export function registerTextImports(): void {
  registerHooks({
    load(url, context, next) {
      if (!url.endsWith(textImportSuffix)) return next(url, context);
      const text = buildPageAsset(fileURLToPath(url.slice(0, -textImportSuffix.length)));
      return { format: 'module', source: `export default ${JSON.stringify(text)}`, shortCircuit: true };
    },
  });
}
