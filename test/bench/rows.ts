import { rows as costRows } from './cost/rows.ts';
import { rows as crowdRows } from './crowd/rows.ts';
import { rows as cpuRows } from './handler-cpu.ts';
import { rows as frameRows } from './play-frames.ts';
import { rows as pageRows } from './play-page.ts';
import { rows as reportRows } from './reports.ts';
import type { Row } from './row.ts';
import { rows as spinRows } from './spins.ts';
import { rows as usualWayRows } from './usual-way/rows.ts';
import { rows as webhookRows } from './webhooks.ts';

export const allRows: Row[] = [
  ...cpuRows,
  ...pageRows,
  ...frameRows,
  ...spinRows,
  ...reportRows,
  ...webhookRows,
  ...costRows,
  ...usualWayRows,
  ...crowdRows,
];
