import type { ComponentChildren } from 'preact';

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

export const Figures = ({ children }: { children: ComponentChildren }) => <dl class="figures">{children}</dl>;

export const Section = ({
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
