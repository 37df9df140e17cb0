/** Text of an imported file, processed for the browser: minified CSS, a bundled script, or SVG. */
declare module '*?text' {
  const text: string;
  export default text;
}
