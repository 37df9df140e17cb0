import { failureTexts } from '../../../../shared/api/failure-page.ts';
import type { Texts } from './en.ts';

export const es: Texts = {
  games: {
    prizewheel: {
      title: 'Ruleta de premios',
      tagline: 'Una vuelta. Siempre cae algo bueno.',
    },
    truck: {
      title: 'Entrega especial',
      tagline: 'Arranca la camioneta y mira lo que te trae.',
    },
    flight: {
      title: 'Ya llega tu vuelo',
      tagline: 'Todo listo para despegar. Tu premio va a bordo.',
    },
  },
  balance: { label: 'Tus boletos' },
  sound: 'Sonido',
  tickets: { one: '{n} boleto', other: '{n} boletos' },
  action: {
    prizewheel: 'Girar la ruleta',
    truck: 'Arrancar la camioneta',
    flight: 'Despegar',
  },
  cost: { free: 'Jugada gratis', paid: 'Cuesta {tickets}' },
  claim: {
    held: 'Este premio está en espera de un trámite. Pregunta en la app qué falta.',
    delivered: 'Entregado el {day}.',
    forfeited: 'Este premio ya no se puede reclamar.',
  },
  drawing: {
    entries: {
      truck: 'Tus participaciones en el sorteo de la camioneta:',
      flight: 'Tus participaciones en el sorteo del vuelo:',
    },
    announced:
      '{prize}: se sortea el {time}. Cuentan las participaciones que tengas al terminar el {day}, hora de Nueva York.',
    closed:
      '{prize}: se sortea el {time} entre las participaciones que había al terminar el {day}. Huella de su lista: {root}',
  },
  drawn: '¡Ganaste un sorteo: {prize}! Reclámalo en la app antes del {time}.',
  promotion: '{name}: del {from} al {to}, hora de Nueva York.',
  notice: {
    outside: 'Hoy no está vigente la promoción. En esta jugada solo puedes ganar boletos.',
    ticketsOnly: 'En esta jugada no hay premios en efectivo. Solo puedes ganar boletos.',
    ticketsForNow:
      'Por ahora no hay premios en efectivo: solo puedes ganar boletos. Más tarde habrá más premios en efectivo.',
    winsUsedUp: {
      one: 'Ya llegaste a tu límite de un premio por día. En esta jugada solo puedes ganar boletos o participaciones.',
      other:
        'Ya llegaste a tu límite de {n} premios por día. En esta jugada solo puedes ganar boletos o participaciones.',
    },
    preview: 'Esta es una vista previa. No se juega ni se cobra nada.',
    noScript: 'Para jugar se necesita JavaScript. Actívalo o abre este enlace en otro navegador.',
  },
  odds: {
    title: 'Premios y probabilidades',
    caption: 'Probabilidad de cada premio en esta jugada',
    prize: 'Premio',
    chance: 'Probabilidad',
    oneIn: '1 de cada {n}',
    outFor: {
      today: 'Hoy no está en juego',
      later: 'Aún no está en juego',
      test: 'No en esta prueba',
      won: 'Ya se ganaron todos',
      won_today: 'Por hoy ya se ganaron todos',
    },
    note: {
      prizewheel:
        'Todos los premios ocupan el mismo espacio en la ruleta. La probabilidad de cada uno es la de esta lista.',
      truck: '',
      flight: '',
    },
  },
  back: { plain: 'Volver a la app', named: 'Volver a {name}' },
  rules: 'Reglas oficiales',
  freeEntry: {
    noPurchase: 'No es necesario comprar.',
    inRules: 'Las reglas oficiales dicen cómo participar gratis.',
    link: 'Participar gratis',
  },
  refused: {
    insufficient_tickets: {
      title: 'Te faltan boletos',
      text: 'Este juego cuesta {cost} y tienes {balance}. Consigue más boletos y vuelve a esta página.',
      button: 'Revisar otra vez',
    },
    daily_spin_limit_reached: {
      title: 'Eso es todo por hoy',
      text: 'Ya usaste todas tus jugadas de hoy. Pronto tendrás más.',
      limited: {
        one: 'Ya usaste tu jugada de hoy.',
        other: 'Ya usaste tus {n} jugadas de hoy.',
      },
    },
    game_paused: {
      title: 'Una breve pausa',
      text: 'Pausamos este juego por un momento. No se te cobró ningún boleto. Inténtalo más tarde.',
      button: 'Revisar otra vez',
    },
    organization_suspended: {
      title: 'Una breve pausa',
      text: 'Pausamos los juegos por un momento. No se te cobró ningún boleto. Inténtalo más tarde.',
      button: 'Revisar otra vez',
    },
    user_frozen: {
      title: 'Tu cuenta está en pausa',
      text: 'Por ahora no puedes jugar. Tus boletos y premios están a salvo. Comunícate con soporte desde la app.',
      button: 'Revisar otra vez',
    },
    until: 'Puedes volver a jugar a partir del {time}',
  },
  voided: {
    title: 'Este enlace ya no es válido',
    text: 'No se te cobró ningún boleto. Vuelve a la app y abre el juego otra vez.',
  },
  expired: {
    title: 'Este enlace ya venció',
    text: 'Los enlaces para jugar duran 30 minutos. No se te cobró ningún boleto. Vuelve a la app y abre el juego otra vez.',
  },
  unknown: failureTexts.es.unknown,
  client: {
    left: 'Te quedan {time} para jugar',
    minutesLeft: {
      one: 'Te queda {n} minuto para jugar',
      other: 'Te quedan {n} minutos para jugar',
    },
    timeUp: 'Se acabó el tiempo.',
    checking: 'Revisando…',
    noAnswer: 'Aún no hay respuesta. Lo intentamos otra vez…',
    playing: {
      prizewheel: 'Girando…',
      truck: 'En camino…',
      flight: 'En el aire…',
    },
    board: { ready: 'ABORDANDO', playing: 'EN VUELO', arrived: 'ATERRIZÓ' },
    slow: 'La conexión está lenta. Tu jugada está a salvo; ya pedimos el resultado otra vez.',
    offline: 'No tienes conexión. Tu jugada está a salvo; el resultado aparecerá en cuanto te conectes.',
    stalled: 'Aún no hay respuesta. Tu jugada está a salvo: si se registró, el resultado te espera aquí.',
    busy: 'Hay mucha gente jugando. Tu jugada está a salvo; espera un momento.',
    askAgain: 'Consultar otra vez',
    tryAgain: 'Algo falló. Tu jugada está a salvo; inténtalo otra vez.',
    close: 'Ya puedes cerrar esta ventana.',
    previewPressed: 'Aquí empezaría el juego.',
    backAt: 'Para volver, abre {url}. No se puede abrir desde aquí.',
    rulesAt: 'Las reglas están en {url}. No se pueden abrir desde aquí.',
    cutOff: 'Este juego no se puede jugar aquí. Ábrelo en la app.',
    won: { small: 'Recibiste', other: 'Ganaste' },
    paid: 'Pagaste {tickets}.',
    worth: 'Vale {usd}',
    balance: {
      one: 'Ahora tienes {n} boleto.',
      other: 'Ahora tienes {n} boletos.',
    },
    next: 'Ya es tuyo. Lo guardamos en tu cuenta.',
    claimBy: 'Reclámalo antes del {time}.',
    playedAt: 'Jugaste el {time}',
    again: 'Para jugar otra vez, abre el juego desde la app.',
    fair: {
      title: 'Cómo se sortea',
      before:
        'El premio sale de dos secretos: el nuestro, sellado antes de que juegues, y uno que crea tu dispositivo. Este es nuestro sello. Después de la jugada lo abrimos y tu dispositivo lo revisa.',
      checking: 'Revisando el sorteo…',
      good: 'Revisado en tu dispositivo: el sello está intacto y el sorteo da exactamente este premio.',
      otherCommitment:
        'El sello no coincide con el que mostramos antes de la jugada. Escríbele a soporte e incluye el número de resultado.',
      draw: 'El sello está intacto, pero el sorteo no da este premio. Escríbele a soporte e incluye el número de resultado.',
      odds: 'El sello está intacto, pero los premios y probabilidades que ves aquí no son los de la tabla de premios de abajo. Escríbele a soporte e incluye el número de resultado.',
      test: 'Esta fue una jugada de prueba con resultado fijo.',
      missing:
        'El sorteo da exactamente este premio, pero su lugar en el libro del día no cuadra. Escríbele a soporte e incluye el número de resultado.',
      elsewhere:
        'El sorteo da exactamente este premio, pero con un secreto que este dispositivo no creó. No hay problema si jugaste desde otro dispositivo. Si no, algo anda mal: escríbele a soporte e incluye el número de resultado.',
      inBook: 'El resultado está en el libro del día, en el lugar indicado.',
      shrunk:
        'Entre el {from}, cuando se creó esta página, y el {to}, cuando jugaste, salieron del sorteo: {prizes}.',
      reference: 'Resultado',
      commitment: 'Nuestro sello (SHA-256)',
      serverSeed: 'Nuestro secreto',
      clientSeed: 'El secreto del dispositivo',
      table: 'Tabla de premios',
      set: 'Premios en el sorteo',
      setOf: '{n} de {all}',
      cash: 'Efectivo del día',
      cashLeft: 'Quedaban {left} de {limit}; antes del tuyo hubo {wins}',
      stock: 'Número de tu premio',
      stockNumber: 'N.º {n} en total, n.º {today} ese día',
      cashWins: { one: '{n} premio', other: '{n} premios' },
      book: 'Libro del día (Nueva York)',
      bookPlace: '{day}, registro {n} de {size}',
      bookDigest: 'La línea del libro (SHA-256)',
    },
  },
  kinds: {
    cash_usd: '{cash} en efectivo',
    entry_truck: 'Participación en el sorteo de la camioneta',
    entry_flight: 'Participación en el sorteo del vuelo',
    prize_money_transfer: 'Envío de dinero gratis',
    prize_cash_back: 'Dinero de vuelta',
    prize_streaming: 'Pase de streaming',
    prize_imt: 'Recarga internacional',
    prize_gift_card: 'Tarjeta de regalo',
    prize_phone_accessory: 'Accesorio para celular',
    prize_merchandise: 'Artículo de regalo',
  },
  short: {
    entry_truck: 'Sorteo camioneta',
    entry_flight: 'Sorteo vuelo',
    prize_money_transfer: 'Envío',
    prize_cash_back: 'Dinero',
    prize_streaming: 'Streaming',
    prize_imt: 'Recarga',
    prize_gift_card: 'Tarjeta',
    prize_phone_accessory: 'Accesorio',
    prize_merchandise: 'Artículo',
  },
};
