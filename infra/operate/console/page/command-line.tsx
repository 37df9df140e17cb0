export const CommandLine = ({ line }: { line: string }) => (
  <p class="line">
    <code>{line}</code>
  </p>
);
