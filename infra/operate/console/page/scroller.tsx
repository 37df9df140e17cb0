import type { ComponentChildren } from 'preact';

type Props = {
  label: string;
  children: ComponentChildren;
};

/** A scrollable region that can receive the focus, so that users can scroll it with the keyboard. */
export const Scroller = ({ label, children }: Props) => (
  <section
    class="scroller"
    aria-label={label}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it only a pointer could scroll
    tabIndex={0}
  >
    {children}
  </section>
);
