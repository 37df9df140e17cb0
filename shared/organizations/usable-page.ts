import { refusals } from '../refusals.ts';
import { colorFault } from './page-colors.ts';
import type { PageSettings } from './page-settings.ts';

/** Throws a Refusal for a logo without a brand name, or unreadable colors. */
export function requireUsablePage(page: PageSettings): PageSettings {
  if (page.brand_logo && !page.brand_name) {
    throw refusals.invalid('brand_name: Required with a logo, for users who cannot see images');
  }
  const fault = colorFault(page);
  if (!fault) return page;
  const { name, contrast, minContrast, behind, remedy } = fault;
  const ofPage = Object.values(page).includes(behind) ? '' : ', a color of the page,';
  const has = `On ${behind}${ofPage} its contrast is ${Math.floor(contrast * 10) / 10}:1, and must be at least ${minContrast}:1`;
  const nearest = Object.entries(remedy).map(([of, color]) => `${of} ${color}`);
  throw refusals.invalid(`${name}: ${has}. Nearest readable colors: ${nearest.join(', ')}`);
}
