import { dirname } from 'node:path';
import { build } from 'esbuild';
import type { Plugin } from 'vite';
import { pageAssets } from '../../infra/page-assets.ts';

const suffix = '?text';
const prefix = '\0page-asset:';

/** Lets tests import the play page as it is bundled: `import text from './file?text'`, as esbuild resolves it. */
export const pageAssetsForTests = (): Plugin => ({
  name: 'page-assets-for-tests',
  enforce: 'pre',
  async resolveId(source, importer) {
    if (!source.endsWith(suffix)) return undefined;
    const resolved = await this.resolve(source.slice(0, -suffix.length), importer, { skipSelf: true });
    // Its own ending would make a stylesheet of what is a module with the stylesheet's text.
    return resolved ? `${prefix}${resolved.id}.text` : undefined;
  },
  async load(id) {
    if (!id.startsWith(prefix)) return undefined;
    const path = id.slice(prefix.length, -'.text'.length);
    const { outputFiles } = await build({
      stdin: {
        contents: `export { default } from ${JSON.stringify(path + suffix)}`,
        resolveDir: dirname(path),
      },
      bundle: true,
      write: false,
      format: 'esm',
      plugins: [pageAssets()],
    });
    return outputFiles[0]!.text;
  },
});
