/** Fixes for the accessibility of the OpenAPI viewer (Swagger UI), applied from outside. */

type Component = (props: Record<string, unknown>) => unknown;
type System = {
  React: { createElement: (type: unknown, props?: object | null, ...children: unknown[]) => unknown };
};
type Found = { getComponent: (name: string, withState?: boolean) => Component };

/** Returns a plugin that replaces some components of the viewer. */
export const accessibleComponents = ({ React: { createElement } }: System) => ({
  components: {
    // The viewer's own layout has a second `main`, a useless choice of servers, and no heading above the
    // tags.
    ReferenceLayout({ getComponent }: Found) {
      const part = (name: string) => createElement(getComponent(name, true));
      return createElement(
        'div',
        { className: 'swagger-ui' },
        createElement(getComponent('SvgAssets')),
        part('errors'),
        part('InfoContainer'),
        createElement('div', { className: 'scheme-container' }, part('AuthorizeBtnContainer')),
        part('FilterContainer'),
        createElement('h2', null, 'Operations'),
        part('operations'),
        part('Webhooks'),
        part('Models'),
      );
    },
    // The viewer's own component puts a link inside a button, which HTML forbids.
    DeepLink: ({ text }: { text: unknown }) => text,
  },
});

/** Attributes to add to elements of the viewer: selector, name, value. */
const attributes = [
  ['.examples-select-element', 'aria-label', 'Example'],
  ['.operation-filter-input', 'aria-label', 'Filter by tag or path'],
  ['.body-param__text', 'aria-label', 'Request body'],
  ['.close-modal', 'aria-label', 'Close'],
  // An accessible name must contain the visible text.
  ['.modal-btn.authorize', 'aria-label', 'Authorize'],
  ['.modal-btn:not(.authorize, .btn-done)', 'aria-label', 'Logout'],
  // Without this role each table is an unnamed landmark.
  ['.responses-table', 'role', 'table'],
  // A scrollable element needs the focus, so that the keyboard can scroll it.
  ['.microlight', 'tabindex', '0'],
  // Heading levels without gaps.
  ['.webhooks > h2, .models > h4, .dialog-ux h4', 'aria-level', '3'],
  ['.dialog-ux h3', 'aria-level', '2'],
  ['.dialog-ux h6', 'aria-level', '4'],
] as const;

/** Adds the attributes to all matching elements below `root`, now and whenever the viewer adds elements. */
export function keepAccessible(root: Element): void {
  const complete = () => {
    for (const [selector, name, value] of attributes) {
      for (const element of root.querySelectorAll(selector)) element.setAttribute(name, value);
    }
  };
  new MutationObserver(complete).observe(root, { childList: true, subtree: true });
}
