import { canonicalJson, sha256 } from '../ids.ts';
import { type Game, games, type Lang, type PrizeKind } from '../vocabulary.ts';

/** The chance in a draw is proportional to `weight`. */
export type Prize = {
  id: string;
  kind: PrizeKind;
  /** Number of tickets, or whole USD for cash. */
  amount: number;
  weight: number;
  label: Record<Lang, string>;
  details?: Record<Lang, string> | undefined;
  /** Value in USD with at most two decimals. Absent if unknown, and for cash prizes, whose value is `amount`. */
  value_usd?: number | undefined;
  /** Maximum number of wins in total. Absent if there is no limit. */
  stock?: number | undefined;
  /** Maximum number of wins per day in New York. Absent if there is no limit. */
  stock_per_day?: number | undefined;
};

export type PrizeTable = { version: string; prizes: Prize[] };

/** Computes a prize table's version from the game and prizes, so that other prizes give another version. */
export const versionOfPrizes = (game: Game, prizes: readonly Prize[]): string =>
  `${game}-${sha256(canonicalJson(prizes))}`;

/** A version begins with its game's name. */
export const gameOfVersion = (version: string): Game => games.find((game) => version.startsWith(`${game}-`))!;

export const matchesVersion = (game: Game, { version, prizes }: PrizeTable): boolean =>
  version === versionOfPrizes(game, prizes);

const byHost = (en: string, es: string): Record<Lang, string> => ({
  en: `${en}, saved to your account. Ask in the app how to get it.`,
  es: `${es}. Guardamos tu premio: pregunta en la app cómo recibirlo.`,
});

const detailsOf: Record<PrizeKind, Record<Lang, string>> = {
  tickets: { en: 'Your tickets are ready to use.', es: 'Tus boletos están listos para usar.' },
  cash_usd: { en: 'Real cash, added to your winnings.', es: 'Dinero de verdad, ya sumado a tus ganancias.' },
  entry_truck: {
    en: 'You’re in! One more entry in the truck drawing.',
    es: '¡Ya estás participando! Tienes una participación más en el sorteo de la camioneta.',
  },
  entry_flight: {
    en: 'You’re in! One more entry in the flight drawing.',
    es: '¡Ya estás participando! Tienes una participación más en el sorteo del vuelo.',
  },
  prize_money_transfer: byHost('A money transfer without a fee', 'Un envío de dinero sin comisión'),
  prize_cash_back: byHost('Money back on a purchase', 'Te regresamos una parte de tu compra'),
  prize_streaming: byHost('A pass for a streaming service', 'Un pase para un servicio de streaming'),
  prize_imt: byHost('A top-up for a phone abroad', 'Una recarga para un celular en otro país'),
  prize_gift_card: byHost('A card to shop with', 'Una tarjeta para tus compras'),
  prize_phone_accessory: byHost('Something for your phone', 'Algo para tu celular'),
  prize_merchandise: byHost('A gift to wear or use', 'Un regalo para ponerte o usar'),
};

const prize = (
  id: string,
  kind: PrizeKind,
  amount: number,
  weight: number,
  en: string,
  es: string,
): Prize => ({ id, kind, amount, weight, label: { en, es }, details: detailsOf[kind] });

const prizesOf: Record<Game, Prize[]> = {
  prizewheel: [
    prize('tickets-1', 'tickets', 1, 3200, '1 ticket', '1 boleto'),
    prize('entry-truck', 'entry_truck', 1, 2000, 'Truck entry', 'Participación en el sorteo de la camioneta'),
    prize('cash-1', 'cash_usd', 1, 735, '$1 cash', '$1 en efectivo'),
    prize('imt', 'prize_imt', 1, 400, 'International top-up', 'Recarga internacional'),
    prize('tickets-3', 'tickets', 3, 700, '3 tickets', '3 boletos'),
    prize('money-transfer', 'prize_money_transfer', 1, 400, 'Free money transfer', 'Envío de dinero gratis'),
    prize('cash-100', 'cash_usd', 100, 5, '$100 cash', '$100 en efectivo'),
    prize('entry-flight', 'entry_flight', 1, 1500, 'Flight entry', 'Participación en el sorteo del vuelo'),
    prize('cash-back', 'prize_cash_back', 1, 400, 'Cash back', 'Dinero de vuelta'),
    prize('streaming', 'prize_streaming', 1, 200, 'Streaming pass', 'Pase de streaming'),
    prize('tickets-10', 'tickets', 10, 100, '10 tickets', '10 boletos'),
    prize('gift-card', 'prize_gift_card', 1, 50, 'Gift card', 'Tarjeta de regalo'),
    prize('cash-10', 'cash_usd', 10, 60, '$10 cash', '$10 en efectivo'),
    prize('accessory', 'prize_phone_accessory', 1, 100, 'Phone accessory', 'Accesorio para celular'),
    prize('merchandise', 'prize_merchandise', 1, 150, 'Merchandise', 'Artículo de regalo'),
  ],
  truck: [
    prize('entry-truck', 'entry_truck', 1, 6000, 'Truck entry', 'Participación en el sorteo de la camioneta'),
    prize('tickets-2', 'tickets', 2, 1500, '2 tickets', '2 boletos'),
    prize('tickets-5', 'tickets', 5, 900, '5 tickets', '5 boletos'),
    prize('tickets-20', 'tickets', 20, 100, '20 tickets', '20 boletos'),
    prize('cash-2', 'cash_usd', 2, 600, '$2 cash', '$2 en efectivo'),
    prize('cash-20', 'cash_usd', 20, 90, '$20 cash', '$20 en efectivo'),
    prize('cash-100', 'cash_usd', 100, 10, '$100 cash', '$100 en efectivo'),
    prize('cash-back', 'prize_cash_back', 1, 200, 'Cash back', 'Dinero de vuelta'),
    prize('accessory', 'prize_phone_accessory', 1, 200, 'Phone accessory', 'Accesorio para celular'),
    prize('merchandise', 'prize_merchandise', 1, 300, 'Merchandise', 'Artículo de regalo'),
    prize('gift-card', 'prize_gift_card', 1, 100, 'Gift card', 'Tarjeta de regalo'),
  ],
  flight: [
    prize('entry-flight', 'entry_flight', 1, 6000, 'Flight entry', 'Participación en el sorteo del vuelo'),
    prize('tickets-5', 'tickets', 5, 1400, '5 tickets', '5 boletos'),
    prize('tickets-10', 'tickets', 10, 800, '10 tickets', '10 boletos'),
    prize('tickets-40', 'tickets', 40, 100, '40 tickets', '40 boletos'),
    prize('cash-5', 'cash_usd', 5, 600, '$5 cash', '$5 en efectivo'),
    prize('cash-25', 'cash_usd', 25, 80, '$25 cash', '$25 en efectivo'),
    prize('cash-100', 'cash_usd', 100, 20, '$100 cash', '$100 en efectivo'),
    prize('money-transfer', 'prize_money_transfer', 1, 300, 'Free money transfer', 'Envío de dinero gratis'),
    prize('streaming', 'prize_streaming', 1, 250, 'Streaming pass', 'Pase de streaming'),
    prize('imt', 'prize_imt', 1, 250, 'International top-up', 'Recarga internacional'),
    prize('gift-card', 'prize_gift_card', 1, 100, 'Gift card', 'Tarjeta de regalo'),
    prize('merchandise', 'prize_merchandise', 1, 100, 'Merchandise', 'Artículo de regalo'),
  ],
};

const eachGame = <T>(make: (game: Game) => T) =>
  Object.fromEntries(games.map((game) => [game, make(game)])) as Record<Game, T>;

/** Prize tables of a new organization, with weights that add up to 10,000. */
export const defaultPrizeTables: Record<Game, PrizeTable> = eachGame((game) => ({
  version: versionOfPrizes(game, prizesOf[game]),
  prizes: prizesOf[game],
}));
