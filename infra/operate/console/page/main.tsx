/** Entry point of the console's page, which runs in the browser. */
import { render } from 'preact';
import { App } from './app.tsx';

render(<App />, document.getElementById('app')!);
