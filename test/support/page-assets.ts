import type { Plugin } from 'vite';
import { buildPageAsset, textImportSuffix } from '../../infra/common/page-assets.ts';

const prefix = '\0page-asset:';

/** Vite plugin with which tests can import files as text (`?text`), as the Lambda functions do. */
export const pageAssetsForTests = (): Plugin => ({
  name: 'page-assets-for-tests',
  enforce: 'pre',
  async resolveId(source, importer) {
    if (!source.endsWith(textImportSuffix)) return undefined;
    const resolved = await this.resolve(source.slice(0, -textImportSuffix.length), importer, {
      skipSelf: true,
    });
    // Appends `.text` to the file's name. Otherwise Vite would process a stylesheet instead of returning its
    // text.
    return resolved ? `${prefix}${resolved.id}.text` : undefined;
  },
  load(id) {
    if (!id.startsWith(prefix)) return undefined;
    return `export default ${JSON.stringify(buildPageAsset(id.slice(prefix.length, -'.text'.length)))}`;
  },
});
