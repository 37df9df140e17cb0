/** The demo's page: the host app on its phone, and what it asks the API for beside it. */
import { render } from 'preact';
import { App } from './app.tsx';

render(<App />, document.getElementById('app')!);
