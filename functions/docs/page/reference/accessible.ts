/** Corrects accessibility faults of Swagger UI, which shows the OpenAPI document, without changing its code. */

type Component = (props: Record<string, unknown>) => unknown;
type System = {
  React: { createElement: (type: unknown, props?: object | null, ...children: unknown[]) => unknown };
};
type Found = { getComponent: (name: string, withState?: boolean) => Component };

export const accessibilityPlugin = ({ React: { createElement } }: System) => ({
  components: {
    // Replaces Swagger UI's layout, which has a second `main` element and no heading above the operations.
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
    // Renders a deep link as text. Swagger UI would put a link inside a button, which HTML forbids.
    DeepLink: ({ text }: { text: unknown }) => text,
  },
});

const attributes = [
  ['.examples-select-element', 'aria-label', 'Example'],
  ['.operation-filter-input', 'aria-label', 'Filter by tag or path'],
  ['.body-param__text', 'aria-label', 'Request body'],
  ['.close-modal', 'aria-label', 'Close'],
  // A button's accessible name must contain the button's visible text, so these labels repeat the text.
  ['.modal-btn.authorize', 'aria-label', 'Authorize'],
  ['.modal-btn:not(.authorize, .btn-done)', 'aria-label', 'Logout'],
  // Restores the role `table`. Swagger UI sets the role `region`, which makes each table a landmark without a name.
  ['.responses-table', 'role', 'table'],
  // Makes code blocks focusable, because keyboard users can scroll only a focused block.
  ['.microlight', 'tabindex', '0'],
  // Corrects heading levels, because Swagger UI skips some levels.
  ['.webhooks > h2, .models > h4, .dialog-ux h4', 'aria-level', '3'],
  ['.dialog-ux h3', 'aria-level', '2'],
  ['.dialog-ux h6', 'aria-level', '4'],
] as const;

/** Adds `attributes` to the elements below `root`, each time after Swagger UI has added or removed elements. */
export function keepAccessible(root: Element): void {
  const complete = () => {
    for (const [selector, name, value] of attributes) {
      for (const element of root.querySelectorAll(selector)) element.setAttribute(name, value);
    }
  };
  new MutationObserver(complete).observe(root, { childList: true, subtree: true });
}
