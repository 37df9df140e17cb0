import { readOrganizationIds } from '../../../../shared/organizations/organizations.ts';
import { escapeControlsInLines } from '../../../../shared/spelled-out.ts';

/** What an id names, in sentences. Each `next` is a command or a step. */
export type Explained = {
  id: string;
  organization_id?: string;
  what: string;
  happened: { at: string; sentence: string }[];
  state: string;
  why?: string[];
  next?: string[];
  /** True for a fault, such as an altered record. */
  failed?: boolean;
};

export function explanationText(explained: Explained): string {
  const { id, organization_id, what, happened, state, why = [], next = [] } = explained;
  const of =
    organization_id === undefined || id === organization_id ? '' : ` (organization ${organization_id})`;
  const lines = [
    `${id} is ${what}${of}.`,
    ...happened.map(({ at, sentence }) => `  ${at}  ${sentence}`),
    `Now: ${state}`,
    ...why.map((reason) => `Why: ${reason}`),
    ...next.map((step) => `Next: ${step}`),
  ];
  return `${escapeControlsInLines(lines.join('\n'))}\n`;
}

export const adminCommand = (words: string, organizationId?: string): string =>
  `npm run admin -- ${words}${organizationId === undefined ? '' : ` --org ${organizationId}`} --stage …`;

/** Searches one organization, or all of the stage one after another. */
export async function findInOrganizations<T>(
  org: string | undefined,
  find: (organizationId: string) => Promise<T | undefined>,
): Promise<{ organizationId: string; found: T } | undefined> {
  for (const organizationId of org === undefined ? await readOrganizationIds() : [org]) {
    const found = await find(organizationId);
    if (found !== undefined) return { organizationId, found };
  }
  return undefined;
}
