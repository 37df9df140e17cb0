import { addCopyButtons } from './copy.ts';
import { addSearch } from './search.ts';

addCopyButtons(document.querySelectorAll('.guide pre'));
addSearch(document.querySelector('header')!);
