/** Spells out characters that control a terminal or turn text around, such as `\u202e`. */
export const escapeControls = (text: string): string =>
  text.replaceAll(
    /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

export const escapeControlsInLines = (text: string): string =>
  text.split('\n').map(escapeControls).join('\n');
