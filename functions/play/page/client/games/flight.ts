import { flightScene } from '../flight.ts';
import { runPage } from '../main.ts';

runPage((root, { texts }) => flightScene(root, texts.client.board));
