import type { ComponentChildren } from 'preact';

/** A figure to see at a glance, with what it is, and what stands under it. */
export const Figure = ({
  label,
  value,
  children,
}: {
  label: string;
  value: string;
  children?: ComponentChildren;
}) => (
  <div class="figure">
    <dt>{label}</dt>
    <dd>
      <strong>{value}</strong>
      {children && <small>{children}</small>}
    </dd>
  </div>
);

/** Figures beside each other. */
export const Figures = ({ children }: { children: ComponentChildren }) => <dl class="figures">{children}</dl>;

/** A part of a page under a heading, with what can be done there beside it. */
export const Part = ({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) => (
  <section class="part">
    <div class="heading">
      <h2>{title}</h2>
      {actions}
    </div>
    {children}
  </section>
);
