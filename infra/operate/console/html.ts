import type { Stage } from '../../../shared/stage.ts';

// Forbids translation: browsers would replace text nodes that Preact updates, and old figures would stay.
const document = (title: string, body: string, script = '') => `<!doctype html>
<html lang="en" translate="no">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/console.css">${script}
</head>
<body>${body}</body>
</html>`;

export const consoleHtml = (stage: Stage): string =>
  document(
    `Incentives, ${stage}`,
    '<div id="app"></div><noscript>The console needs JavaScript.</noscript>',
    '\n<script src="/console.js" defer></script>',
  );

export const messageHtml = (message: string): string =>
  document(
    'Incentives',
    `<main class="message"><h1>Incentives console</h1><p>${message}</p><p><code>npm run console -- --stage &lt;stage&gt;</code> prints the link; paste it into the address bar.</p></main>`,
  );
