import { runPage } from '../main.ts';
import { truckScene } from '../truck.ts';

runPage(truckScene);
