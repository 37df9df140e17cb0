import type { ComponentChildren } from 'preact';
import type { Game } from '../model.ts';

export const SwallowIcon = () => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d="M1.5 4.5c5 .2 8.300 2 10.200 5 1.300-1.900 3.300-2.800 5.600-2.700 1.5 0 2.5.8 3 1.800l2.200.9-2.200.8c-.5 3.700-3.300 6.300-7 6.600L9.5 22l.6-4.300L5 21.200l2.400-5.400c1-1.5 1.200-2.900.4-4.100C6.400 9 4.300 6.900 1.5 4.5Z" />
  </svg>
);

const paths = {
  send: <path d="M3 11.5 21 3l-6.5 18-3.200-7.300L3 11.5Zm8.300 2.200L21 3" />,
  play: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="M12 3v18M3 12h18M5.600 5.600l12.800 12.800M18.400 5.600 5.600 18.400" />
    </>
  ),
  free: (
    <path d="M4 11h16v9H4v-9Zm-1-4h18v4H3V7Zm9 0v13M12 7c-5 0-6-4-3.5-4S12 7 12 7Zm0 0c5 0 6-4 3.5-4S12 7 12 7Z" />
  ),
  activity: <path d="M4 6h16M4 12h16M4 18h10" />,
  code: <path d="m8 6-6 6 6 6m8-12 6 6-6 6M14 4l-4 16" />,
  close: <path d="m5 5 14 14M19 5 5 19" />,
  back: <path d="m15 5-7 7 7 7" />,
  moon: <path d="M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z" />,
};

export const Icon = ({ name }: { name: keyof typeof paths }) => (
  <svg class="icon line" viewBox="0 0 24 24" aria-hidden="true">
    {paths[name]}
  </svg>
);

const turns = [0, 60, 120, 180, 240, 300];

const scenes: Record<Game, ComponentChildren> = {
  prizewheel: (
    <>
      {turns.map((turn) => (
        <path
          key={turn}
          class={turn % 120 ? 'b' : 'a'}
          d="M40 40V8a32 32 0 0 1 27.700 16Z"
          transform={`rotate(${turn} 40 40)`}
        />
      ))}
      <circle class="c" cx="40" cy="40" r="8" />
      <path class="c" d="m40 16-6-12h12Z" />
    </>
  ),
  truck: (
    <>
      <path class="a" d="M6 22h40v30H6Z" />
      <path class="b" d="M46 32h16l12 11v9H46Z" />
      <path class="c" d="M52 37h8l6 6H52Z" />
      <circle class="d" cx="20" cy="54" r="7" />
      <circle class="d" cx="60" cy="54" r="7" />
      <path class="c" d="M22 22h7v30h-7Z" />
    </>
  ),
  flight: (
    <>
      <path class="a" d="M8 44c10-9 40-16 62-15 5 0 5 5 0 7L14 55c-5 1-9-7-6-11Z" />
      <path class="b" d="m34 44 14 24h7l-4-28ZM30 35 22 16h6l18 15Z" />
      <path class="b" d="m8 44-4-14h5l8 8Z" />
      <path class="c" d="M60 31c5-1 9-1 11 1l-7 3Z" />
    </>
  ),
};

export const GamePicture = ({ game }: { game: Game }) => (
  <svg class={`scene ${game}`} viewBox="0 0 80 80" aria-hidden="true">
    {scenes[game]}
  </svg>
);
