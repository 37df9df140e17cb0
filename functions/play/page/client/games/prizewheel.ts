import { runPage } from '../main.ts';
import { sounds } from '../sound.ts';
import { wheelScene } from '../wheel.ts';

runPage((root) => wheelScene(root, sounds.tick));
