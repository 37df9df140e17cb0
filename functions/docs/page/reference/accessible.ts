/** What the page has otherwise than the viewer by itself, so that everybody can use it. */

type Component = (props: Record<string, unknown>) => unknown;
type System = {
  React: { createElement: (type: unknown, props?: object | null, ...children: unknown[]) => unknown };
};
type Found = { getComponent: (name: string, withState?: boolean) => Component };

/** A plugin of the viewer: components in the place of its own. */
export const accessibleComponents = ({ React: { createElement } }: System) => ({
  components: {
    // The viewer's own has a `main` inside of the page's, a choice of one server, and no heading above those of tags.
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
    // A link inside of the button that opens an operation.
    DeepLink: ({ text }: { text: unknown }) => text,
  },
});

/** Attributes of the viewer's elements, by their selectors. */
const attributes = [
  ['.examples-select-element', 'aria-label', 'Example'],
  ['.operation-filter-input', 'aria-label', 'Filter by tag or path'],
  ['.body-param__text', 'aria-label', 'Request body'],
  ['.close-modal', 'aria-label', 'Close'],
  // A button's name has what can be read on it.
  ['.modal-btn.authorize', 'aria-label', 'Authorize'],
  ['.modal-btn:not(.authorize, .btn-done)', 'aria-label', 'Logout'],
  // Each would be a landmark without a name of its own.
  ['.responses-table', 'role', 'table'],
  // They scroll, and nothing in them takes the focus.
  ['.microlight', 'tabindex', '0'],
  // Levels without gaps: what has operations is below the heading of all, and a dialog has a heading of its own.
  ['.webhooks > h2, .models > h4, .dialog-ux h4', 'aria-level', '3'],
  ['.dialog-ux h3', 'aria-level', '2'],
  ['.dialog-ux h6', 'aria-level', '4'],
] as const;

/** Gives the viewer's elements in a part of the page their attributes, now and whenever it makes others. */
export function keepAccessible(root: Element): void {
  const complete = () => {
    for (const [selector, name, value] of attributes) {
      for (const element of root.querySelectorAll(selector)) element.setAttribute(name, value);
    }
  };
  new MutationObserver(complete).observe(root, { childList: true, subtree: true });
}
