/** A command as it is typed, broken between its options alone. */
export const CommandLine = ({ line }: { line: string }) => (
  <p class="line">
    <code>
      {line.split(/ (?=--)/).map((part, index) => (
        <span key={`${index} ${part}`}>{part} </span>
      ))}
    </code>
  </p>
);
