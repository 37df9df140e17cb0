import { readFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';

/** Oldest engines of in-app web views that the page is compiled for. */
const target = ['es2020', 'chrome80', 'safari14.1', 'firefox80'];

const bundle = async (path: string) => {
  const result = await build({
    entryPoints: [path],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'iife',
    target,
    charset: 'utf8',
    legalComments: 'none',
    loader: { '.woff2': 'dataurl' },
    logLevel: 'silent',
  });
  return {
    text: result.outputFiles[0]!.text.trim(),
    files: Object.keys(result.metafile.inputs),
  };
};

const squeeze = (svg: string) =>
  svg
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/\s*\n\s*/g, ' ')
    .replace(/> </g, '><')
    .trim();

/**
 * Lets esbuild resolve `import text from './file?text'`: scripts come bundled and minified for the browser,
 * stylesheets minified with their fonts inside, and SVG without its line breaks.
 */
export const pageAssets = (): Plugin => ({
  name: 'page-assets',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\?text$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path.slice(0, -'?text'.length)),
      namespace: 'page-asset',
    }));
    onLoad({ filter: /.*/, namespace: 'page-asset' }, async ({ path }) => {
      if (extname(path) === '.svg') {
        return {
          contents: squeeze(await readFile(path, 'utf8')),
          loader: 'text',
          watchFiles: [path],
        };
      }
      const { text, files } = await bundle(path);
      return {
        contents: text,
        loader: 'text',
        watchFiles: files.map((file) => resolve(file)),
      };
    });
  },
});
