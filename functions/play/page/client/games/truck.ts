import { runPlayPage } from '../main.ts';
import { truckScene } from '../truck.ts';

runPlayPage(truckScene);
