import { runPlayPage } from '../main.ts';
import { sounds } from '../sound.ts';
import { wheelScene } from '../wheel.ts';

runPlayPage((root) => wheelScene(root, sounds.tick));
