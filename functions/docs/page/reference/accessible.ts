/**
 * Corrects accessibility faults of Swagger UI, which shows the OpenAPI document, without changing Swagger
 * UI's code.
 */

type Component = (props: Record<string, unknown>) => unknown;
type System = {
  React: { createElement: (type: unknown, props?: object | null, ...children: unknown[]) => unknown };
};
type Found = { getComponent: (name: string, withState?: boolean) => Component };

/** Returns a Swagger UI plugin that replaces inaccessible components. */
export const accessibleComponents = ({ React: { createElement } }: System) => ({
  components: {
    // Replaces Swagger UI's layout, which has a second `main` element, an unneeded choice of servers, and no
    // heading above the tags.
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
    // Replaces Swagger UI's component, because it puts a link inside a button, which HTML forbids.
    DeepLink: ({ text }: { text: unknown }) => text,
  },
});

/** Attributes that are added to elements of Swagger UI: CSS selector, attribute name, value. */
const attributes = [
  ['.examples-select-element', 'aria-label', 'Example'],
  ['.operation-filter-input', 'aria-label', 'Filter by tag or path'],
  ['.body-param__text', 'aria-label', 'Request body'],
  ['.close-modal', 'aria-label', 'Close'],
  // HTML requires that an element's accessible name contains its visible text, which is `Authorize` or
  // `Logout` on these buttons.
  ['.modal-btn.authorize', 'aria-label', 'Authorize'],
  ['.modal-btn:not(.authorize, .btn-done)', 'aria-label', 'Logout'],
  // Swagger UI gives these tables another role, which makes each of them a landmark without a name.
  ['.responses-table', 'role', 'table'],
  // Makes scrollable code blocks focusable, so that the keyboard can scroll them.
  ['.microlight', 'tabindex', '0'],
  // Corrects heading levels, because Swagger UI skips some.
  ['.webhooks > h2, .models > h4, .dialog-ux h4', 'aria-level', '3'],
  ['.dialog-ux h3', 'aria-level', '2'],
  ['.dialog-ux h6', 'aria-level', '4'],
] as const;

/** Adds the attributes to all matching elements below `root`, and again whenever Swagger UI adds elements. */
export function keepAccessible(root: Element): void {
  const complete = () => {
    for (const [selector, name, value] of attributes) {
      for (const element of root.querySelectorAll(selector)) element.setAttribute(name, value);
    }
  };
  new MutationObserver(complete).observe(root, { childList: true, subtree: true });
}
