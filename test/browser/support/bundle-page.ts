import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { PageView } from '../../../functions/play/page/view.ts';
import { pageAssets } from '../../../infra/page-assets.ts';

type RenderPage = (view: PageView) => { html: string; headers: Record<string, string> };

/** The page's renderer as the functions run it: bundled, with the finished script and styles inside. */
export const loadRenderPage = async (): Promise<RenderPage> => {
  const outfile = resolve('.build/test-browser', `render-${process.pid}.mjs`);
  await mkdir(resolve('.build/test-browser'), { recursive: true });
  await build({
    entryPoints: ['functions/play/page/render.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    plugins: [pageAssets()],
    logLevel: 'silent',
  });
  const module = await import(pathToFileURL(outfile).href);
  return module.renderPage;
};
