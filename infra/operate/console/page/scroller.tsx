import type { ComponentChildren, Ref } from 'preact';

type Props = {
  label: string;
  kind?: string;
  scrolled?: (top: number) => void;
  element?: Ref<HTMLElement>;
  children: ComponentChildren;
};

/** A scrollable region that can receive the focus, so that users can scroll it with the keyboard. */
export const Scroller = ({ label, kind = '', scrolled, element = null, children }: Props) => (
  <section
    class={`scroller ${kind}`}
    aria-label={label}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it only a pointer could scroll
    tabIndex={0}
    ref={element}
    onScroll={({ currentTarget }) => scrolled?.(currentTarget.scrollTop)}
  >
    {children}
  </section>
);
