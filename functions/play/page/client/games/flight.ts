import { flightScene } from '../flight.ts';
import { runPlayPage } from '../main.ts';

runPlayPage((root, { texts }) => flightScene(root, texts.client.board));
