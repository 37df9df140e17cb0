/** The text of a file as the browser gets it: minified CSS, a bundled script, or SVG. */
declare module '*?text' {
  const text: string;
  export default text;
}
