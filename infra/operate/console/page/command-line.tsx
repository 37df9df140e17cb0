export const CommandLine = ({ line }: { line: string }) => (
  <p class="line">
    <code>
      {line.split(/ (?=--)/).map((part, index) => (
        <span key={`${index} ${part}`}>{part} </span>
      ))}
    </code>
  </p>
);
