const shownMs = 2000;

export function addCopyButtons(blocks: NodeListOf<HTMLElement>): void {
  for (const block of blocks) {
    const button = document.createElement('button');
    button.className = 'copy';
    button.textContent = 'Copy';
    button.onclick = async () => {
      button.textContent = await copied(block.querySelector('code')!.textContent ?? '');
      setTimeout(() => {
        button.textContent = 'Copy';
      }, shownMs);
    };
    // Puts the button outside the block, so that the button does not scroll with the code.
    const frame = document.createElement('div');
    frame.className = 'code';
    block.replaceWith(frame);
    frame.append(block, button);
  }
}

async function copied(code: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(code);
    return 'Copied';
  } catch {
    return 'Not allowed';
  }
}
