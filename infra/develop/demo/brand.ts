import { join } from 'node:path';
import type { TypedPageSettings } from '../../operate/admin/page.ts';

export function demoPageSettings(link: string): TypedPageSettings {
  const { origin, port } = new URL(link);
  return {
    frame_origins: `${origin},http://127.0.0.1:${port}`,
    brand_name: 'Golondrina',
    brand_logo: join(import.meta.dirname, 'logo.svg'),
    brand_accent: '#f7b733',
    brand_accent_text: '#2a1602',
    brand_background: '#08393f',
    brand_text: '#ffffff',
  };
}
