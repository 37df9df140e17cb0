import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

type Props = {
  label: string;
  button: string;
  value: string | undefined;
  find: (text: string) => void;
  children?: ComponentChildren;
};

export function SearchBar({ label, button, value = '', find, children }: Props) {
  const [typed, setTyped] = useState(value);
  return (
    <form
      class="bar"
      onSubmit={(event) => {
        event.preventDefault();
        find(typed.trim());
      }}
    >
      {children}
      <label class="wide">
        <span class="visually-hidden">{label}</span>
        <input
          type="search"
          required
          placeholder={label}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </label>
      <button type="submit" class="main">
        {button}
      </button>
    </form>
  );
}
