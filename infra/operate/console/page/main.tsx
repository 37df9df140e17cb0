import { Fragment, options, render } from 'preact';
import { escapeControlsInLines } from '../../../../shared/spelled-out.ts';
import { App } from './app.tsx';

const shown = (child: unknown): unknown => {
  if (typeof child === 'string') return escapeControlsInLines(child);
  return Array.isArray(child) ? child.map(shown) : child;
};

// Spells out characters by which a host's text could reverse the text around it, such as a balance.
options.vnode = ({ type, props }) => {
  const all = props as { children?: unknown; title?: unknown };
  if (typeof type !== 'string' && type !== Fragment) return;
  if (all.children !== undefined) all.children = shown(all.children);
  if (all.title !== undefined) all.title = shown(all.title);
};

render(<App />, document.getElementById('app')!);
