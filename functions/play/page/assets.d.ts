/** A file of the page as the browser gets it: minified CSS, bundled script, SVG text. */
declare module '*?text' {
  const text: string;
  export default text;
}
