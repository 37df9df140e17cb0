/** Forbids translation: browsers would replace text nodes that Preact updates, and old figures would stay. */
export const demoHtml = `<!doctype html>
<html lang="en" translate="no">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>Golondrina, a demo of Incentives</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/demo.css">
<script src="/demo.js" defer></script>
</head>
<body><div id="app"></div><noscript>The demo needs JavaScript.</noscript></body>
</html>`;
